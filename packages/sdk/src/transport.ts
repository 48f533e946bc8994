import { ConnectionError, errorOf, type Refusal, TimeoutError } from "./errors.ts";
import { backoffMs, sleep } from "./sleep.ts";

export interface Transport {
  baseUrl: string;
  apiKey: string;
  fetch: typeof fetch;
  retriesMax: number;
  timeoutMs: number;
}

export interface CallOptions {
  /** Ends the call at once, also while it waits between two attempts. */
  signal?: AbortSignal | undefined;
  /** Of one attempt. */
  timeoutMs?: number | undefined;
}

export interface Call extends CallOptions {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  idempotencyKey?: string;
  /** A POST without an effect. */
  isRead?: boolean;
}

/** Above this, a call is not held up: the error says how long to wait. */
const retryAfterMsMax = 60_000;
/** Refusals that come before anything is done, whatever the call. */
const refusedBefore = new Set(["rate_limited", "too_many_requests", "too_many_streams"]);

/**
 * Sends a request and answers its response, which is 2xx or 304. A call is repeated only if it has no
 * effect, has an idempotency key, or was refused before anything was done.
 */
export async function send(transport: Transport, call: Call): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= transport.retriesMax;
    let waitMs: number;
    try {
      const response = await attemptCall(transport, call);
      if (response.ok || response.status === 304) return response;
      const refusal = await readRefusal(response, call.idempotencyKey ?? null);
      if (isLast || !mayRepeat(call, refusal)) throw errorOf(refusal);
      if ((refusal.retryAfterMs ?? 0) > retryAfterMsMax) throw errorOf(refusal);
      waitMs = Math.max(refusal.retryAfterMs ?? 0, backoffMs(attempt));
    } catch (error) {
      if (!(error instanceof ConnectionError) || isLast || !isRepeatable(call)) throw error;
      waitMs = backoffMs(attempt);
    }
    await sleep(waitMs, call.signal);
  }
}

export async function sendForJson<Answer>(transport: Transport, call: Call): Promise<Answer> {
  const response = await send(transport, call);
  try {
    return (await response.json()) as Answer;
  } catch (cause) {
    call.signal?.throwIfAborted();
    const idempotencyKey = call.idempotencyKey ?? null;
    throw new ConnectionError(`The answer of ${call.path} was cut off.`, { idempotencyKey, cause });
  }
}

async function attemptCall(transport: Transport, call: Call): Promise<Response> {
  call.signal?.throwIfAborted();
  const timeoutMs = call.timeoutMs ?? transport.timeoutMs;
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), timeoutMs);
  const signal =
    call.signal === undefined ? timer.signal : AbortSignal.any([call.signal, timer.signal]);
  try {
    const response = await transport.fetch(urlOf(transport, call), {
      method: call.method,
      headers: headersOf(transport, call),
      redirect: "error", // a key is for this host alone
      signal,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    return response;
  } catch (cause) {
    call.signal?.throwIfAborted();
    const idempotencyKey = call.idempotencyKey ?? null;
    const message = timer.signal.aborted
      ? `${call.path} was not answered within ${timeoutMs} ms.`
      : `${transport.baseUrl} cannot be reached.`;
    throw new ConnectionError(message, { idempotencyKey, cause });
  } finally {
    clearTimeout(timeout);
  }
}

function urlOf({ baseUrl }: Transport, { path, query = {} }: Call): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) given.set(name, String(value));
  const text = given.toString();
  return `${baseUrl}${path}${text === "" ? "" : `?${text}`}`;
}

function headersOf({ apiKey }: Transport, call: Call): Record<string, string> {
  return {
    authorization: `Bearer ${apiKey}`,
    ...(call.body === undefined ? {} : { "content-type": "application/json" }),
    ...(call.idempotencyKey === undefined ? {} : { "idempotency-key": call.idempotencyKey }),
    ...call.headers,
  };
}

function isRepeatable({ method, isRead, idempotencyKey }: Call): boolean {
  return isRead === true || method === "GET" || method === "DELETE" || idempotencyKey !== undefined;
}

function mayRepeat(call: Call, { status, code }: Refusal): boolean {
  if (refusedBefore.has(code)) return true;
  const isPassing = status >= 500 || status === 408 || code === "request_in_progress";
  return isPassing && isRepeatable(call);
}

async function readRefusal(response: Response, idempotencyKey: string | null): Promise<Refusal> {
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const text = (name: string) => (typeof body[name] === "string" ? body[name] : null);
  return {
    status: response.status,
    code: text("code") ?? "unknown",
    message: text("message") ?? `The service answered ${response.status}.`,
    requestId: text("requestId") ?? response.headers.get("x-request-id"),
    param: text("param"),
    retryAfterMs: readRetryAfter(response.headers.get("retry-after")),
    idempotencyKey,
  };
}

/** Seconds, or a date. */
function readRetryAfter(text: string | null): number | null {
  if (text === null) return null;
  const seconds = Number(text);
  const ms = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** A signal that is aborted with a `TimeoutError` after so long, or with the given signal. */
export function limitTime(
  { signal, timeoutMs }: CallOptions,
  message: string,
): { signal: AbortSignal | undefined; end(): void } {
  if (timeoutMs === undefined) return { signal, end() {} };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new TimeoutError(message)), timeoutMs);
  const both =
    signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]);
  return { signal: both, end: () => clearTimeout(timer) };
}
