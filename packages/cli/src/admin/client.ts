import { ApiError, ConnectionError } from "@zoetrope/sdk";
import type { Login } from "../login/find-login.ts";

export interface AdminRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below /api/admin/v1. */
  path: string;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  /** The account that the request is about, where its path does not name it: it leads to its database. */
  accountId?: string | undefined;
  idempotencyKey?: string | undefined;
}

const answerMsMax = 60_000;

interface CallContext {
  signal: AbortSignal;
  /** The database whose rows are listed; the first one unless it is said. */
  shard: string | undefined;
}

/** Makes a request of the operator API and returns the response. */
export async function fetchAdmin(
  { baseUrl, apiKey }: Login,
  request: AdminRequest,
  { signal, shard }: CallContext,
): Promise<Response> {
  const { method, path, body, accountId, idempotencyKey } = request;
  const headers = new Headers({ authorization: `Bearer ${apiKey}` });
  if (body !== undefined) headers.set("content-type", "application/json");
  if (accountId !== undefined) headers.set("zoetrope-account", accountId);
  if (shard !== undefined) headers.set("zoetrope-shard", shard);
  if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
  const response = await fetch(`${baseUrl}/api/admin/v1${path}${searchOf(request.query)}`, {
    method,
    redirect: "manual", // a key is for this host alone
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]),
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  }).catch((cause: unknown) => {
    signal.throwIfAborted();
    const facts = { cause, idempotencyKey: idempotencyKey ?? null };
    throw new ConnectionError(`${baseUrl} cannot be reached.`, facts);
  });
  if (response.status >= 400) throw await readRefusal(response, idempotencyKey ?? null);
  return response;
}

function searchOf(query: AdminRequest["query"] = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) given.set(name, String(value));
  const text = given.toString();
  return text === "" ? "" : `?${text}`;
}

async function readRefusal(response: Response, idempotencyKey: string | null): Promise<ApiError> {
  const { status, headers } = response;
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const text = (name: string) => (typeof body[name] === "string" ? body[name] : null);
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return new ApiError({
    status,
    code: text("code") ?? "unknown",
    message: text("message") ?? `The service answered ${status}.`,
    requestId: text("requestId") ?? headers.get("x-request-id"),
    param: text("param"),
    retryAfterMs: Number.isNaN(seconds) ? null : seconds * 1_000,
    idempotencyKey,
  });
}
