import { outerRequestId } from "../http/inner-requests.ts";
import { withoutUndefined } from "../http/without-undefined.ts";

/** The part of Fastify's `inject` that is used here. */
export interface Injected {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  url: string;
  headers: Record<string, string>;
  payload?: string;
  remoteAddress?: string;
  signal?: AbortSignal;
}
export type Inject = (call: Injected) => Promise<{
  statusCode: number;
  headers: Record<string, unknown>;
  rawPayload: Buffer;
}>;

interface Outer {
  requestId: string;
  address: string | null;
  userAgent: string | null;
  /** Called with the idempotency key of a create whose response is a replay. */
  onReplay(idempotencyKey: string): void;
}

const methods: ReadonlySet<string> = new Set(["GET", "POST", "PATCH", "DELETE"]);
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A `fetch` whose requests reach the routes of this process without a connection. They pass every hook,
 * with the address and the id of the request on whose behalf they are made.
 */
export function createInnerFetch(
  inject: Inject,
  { requestId, address, userAgent, onReplay }: Outer,
): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const { method = "GET", body, signal } = init;
    if (!isMethod(method)) throw new TypeError(`no route is called with ${method}`);
    if (body != null && typeof body !== "string") throw new TypeError("bodies are JSON");
    const headers = Object.fromEntries(new Headers(init.headers));
    const call: Injected = withoutUndefined({
      method,
      url: pathname + search,
      headers: { ...headers, "user-agent": userAgent ?? "" },
      payload: body ?? undefined,
      remoteAddress: address ?? undefined,
      signal: signal ?? undefined,
    });
    // Waited for inside: `inject` begins with the first `then`.
    const answering = outerRequestId.run(requestId, async () => {
      const injected = await inject(call);
      return injected;
    });
    const answer = await Promise.race([answering, ...(signal ? [whenAborted(signal)] : [])]);
    if (answer.headers["idempotent-replayed"] === "true")
      onReplay(headers["idempotency-key"] ?? "");
    const responseHeaders = Object.entries(answer.headers).map(([name, value]) => [
      name,
      String(value),
    ]);
    return new Response(
      bodiless.has(answer.statusCode) ? null : new Uint8Array(answer.rawPayload),
      {
        status: answer.statusCode,
        headers: Object.fromEntries(responseHeaders),
      },
    );
  };
}

/** `inject` itself does not notice it once it has read the body. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

function isMethod(method: string): method is Injected["method"] {
  return methods.has(method);
}
