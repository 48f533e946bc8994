import { anySignal, backoffMs, orAbort, sleep } from "./abort.ts";
import {
  ApiError,
  ConnectionError,
  errorOf,
  type OpenTasks,
  type Refusal,
  type TimeoutError,
  ZoetropeError,
} from "./errors.ts";

export interface Transport {
  baseUrl: string;
  /** Say who calls. */
  headers: Readonly<Record<string, string>>;
  fetch: typeof fetch;
  retriesMax: number;
  timeoutMs: number;
}

export interface Signalled {
  /** Ends the call at once, also while it waits between two attempts. */
  signal?: AbortSignal | undefined;
}

export interface CallOptions extends Signalled {
  /** The timeout of one attempt. */
  timeoutMs?: number | undefined;
}

export interface Call extends CallOptions {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, string | number | boolean | null | undefined> | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  idempotencyKey?: string;
  /** A POST that may be sent twice: it has no lasting effect. */
  isRead?: boolean;
  /** The time of an attempt ends with its headers. */
  isStream?: boolean;
  /** Instead of the client's: who repeats calls on its own says 0. */
  retriesMax?: number;
}

/** Above this, a call is not held up: the error says how long to wait. */
const retryAfterMsMax = 60_000;
/** A timer with more fires at once. */
const timerMsMax = 2 ** 31 - 1;
/** Refusals that come before anything is done, whatever the call. */
const refusedBefore = new Set(["rate_limited", "too_many_requests", "too_many_streams"]);

/**
 * Sends a request and reads its response, which is 2xx or 304. A call is repeated only if it has no
 * effect, has an idempotency key, or was refused before anything was done.
 */
export async function send<Answer>(
  transport: Transport,
  call: Call,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  const retriesMax = call.retriesMax ?? transport.retriesMax;
  for (let attempt = 0; ; attempt++)
    try {
      return await attemptCall(transport, call, read);
    } catch (error) {
      if (attempt >= retriesMax || !mayRepeat(call, error)) throw error;
      const askedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
      await sleep(askedMs + backoffMs(attempt), call.signal);
    }
}

export function sendForJson<Answer>(transport: Transport, call: Call): Promise<Answer> {
  return send(transport, call, (response) => response.json() as Promise<Answer>);
}

/** Sends a create and returns its response, with what it says about open tasks. */
export function sendCreation<Answer>(
  transport: Transport,
  call: Call,
): Promise<Answer & { openTasks: OpenTasks | null }> {
  return send(transport, call, async (response) => ({
    ...((await response.json()) as Answer),
    openTasks: readOpenTasks(response.headers),
  }));
}

async function attemptCall<Answer>(
  transport: Transport,
  call: Call,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  call.signal?.throwIfAborted();
  const timeoutMs = call.timeoutMs ?? transport.timeoutMs;
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), Math.min(timeoutMs, timerMsMax));
  const signal = anySignal(call.signal, timer.signal);
  const idempotencyKey = call.idempotencyKey ?? null;
  let requestId: string | null = null;
  try {
    const response = await orAbort(signal, fetchOnce(transport, call, signal));
    requestId = response.headers.get("x-request-id");
    if (call.isStream) clearTimeout(timeout);
    if (response.ok || response.status === 304) return await orAbort(signal, read(response));
    throw await orAbort(signal, readRefusal(response, call.path, idempotencyKey));
  } catch (cause) {
    call.signal?.throwIfAborted();
    if (cause instanceof ZoetropeError) throw cause;
    const reason = timer.signal.aborted
      ? `${call.path} was not answered within ${timeoutMs} ms.`
      : requestId === null
        ? `${transport.baseUrl} cannot be reached${reasonOf(cause)}.`
        : `The answer of ${call.path} was cut off.`;
    throw new ConnectionError(reason, { requestId, idempotencyKey, cause });
  } finally {
    clearTimeout(timeout);
  }
}

/**
 * Returns the reason of a failure, such as ` (ECONNREFUSED)`: `fetch` has it in the cause of its
 * error, runtimes differ in where.
 */
function reasonOf(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; depth++) {
    const { code } = cause as { code?: unknown };
    if (code === "ERR_SSL_WRONG_VERSION_NUMBER") return " (no TLS there: is it http?)";
    if (typeof code === "string" && /^[A-Z_]+$/.test(code)) return ` (${code})`;
    cause = cause.cause;
  }
  return "";
}

function fetchOnce(transport: Transport, call: Call, signal: AbortSignal): Promise<Response> {
  return transport.fetch(urlOf(transport, call), {
    method: call.method,
    headers: headersOf(transport, call),
    // Not `credentials`, which edge workers do not know: a cookie goes to its own origin without it.
    redirect: "manual", // a key is for this host alone; edge workers do not know "error"
    signal,
    body: call.body === undefined ? null : JSON.stringify(call.body),
  });
}

function urlOf({ baseUrl }: Transport, { path, query = {} }: Call): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value));
  const text = search.toString();
  return `${baseUrl}${path}${text === "" ? "" : `?${text}`}`;
}

function headersOf({ headers }: Transport, call: Call): Record<string, string> {
  const sent: Record<string, string> = { ...headers };
  if (call.body !== undefined) sent["content-type"] = "application/json";
  if (call.idempotencyKey !== undefined) sent["idempotency-key"] = call.idempotencyKey;
  return Object.assign(sent, call.headers);
}

function isRepeatable({ method, isRead, idempotencyKey }: Call): boolean {
  return isRead === true || method === "GET" || method === "DELETE" || idempotencyKey !== undefined;
}

/** Whether the same call may succeed later: no response, a fault of the service, or no room. */
export function isPassing(error: unknown): error is ApiError | ConnectionError {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  const { status, code } = error;
  return (
    status >= 500 || status === 408 || code === "request_in_progress" || refusedBefore.has(code)
  );
}

function mayRepeat(call: Call, error: unknown): boolean {
  if (!isPassing(error)) return false;
  if (error instanceof ApiError && (error.retryAfterMs ?? 0) > retryAfterMsMax) return false;
  return isRepeatable(call) || refusedBefore.has(error.code);
}

async function readRefusal(
  response: Response,
  path: string,
  idempotencyKey: string | null,
): Promise<ZoetropeError> {
  const { status, headers } = response;
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400))
    return new ZoetropeError(`${path} is redirected. Set baseUrl to where the service is.`, {
      code: "redirected",
      idempotencyKey,
    });
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown> | null;
  const text = (name: string) => (typeof body?.[name] === "string" ? body[name] : null);
  const refusal: Refusal = {
    status,
    code: text("code") ?? "unknown",
    message: text("message") ?? `The service answered ${status}.`,
    requestId: text("requestId") ?? headers.get("x-request-id"),
    param: text("param"),
    retryAfterMs: readRetryAfter(headers.get("retry-after")),
    idempotencyKey,
    openTasks: readOpenTasks(headers),
  };
  return errorOf(refusal);
}

/** Seconds, or a date. */
function readRetryAfter(text: string | null): number | null {
  if (text === null) return null;
  const seconds = Number(text);
  const ms = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** Reads the open tasks of the account from the response to a create, accepted or refused. */
function readOpenTasks(headers: Headers): OpenTasks | null {
  const max = /"open-tasks";q=(\d+)/.exec(headers.get("ratelimit-policy") ?? "")?.[1];
  const left = /"open-tasks";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1];
  return max === undefined || left === undefined ? null : { max: Number(max), left: Number(left) };
}

/** A signal that is aborted with the given error after so long, or with the given signal. */
export function limitTime(
  { signal, timeoutMs }: CallOptions,
  late: () => TimeoutError,
): { signal: AbortSignal | undefined; end(): void } {
  if (timeoutMs === undefined) return { signal, end() {} };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(late()), Math.min(timeoutMs, timerMsMax));
  return { signal: anySignal(signal, controller.signal), end: () => clearTimeout(timer) };
}
