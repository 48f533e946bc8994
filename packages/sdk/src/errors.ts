import type { GenerationTask, UpscaleTask } from "./types.ts";

/** Every error that this package throws, but for what `AbortSignal`s of the caller throw. */
export class ZoetropeError extends Error {
  override name = "ZoetropeError";
}

export interface Refusal {
  status: number;
  code: string;
  message: string;
  requestId: string | null;
  /** The path of the invalid field, such as `inputs.urls[2]`. */
  param: string | null;
  /** What the service asks to wait before a retry. */
  retryAfterMs: number | null;
  /** Repeat the call with it, and it has its effect once. */
  idempotencyKey: string | null;
}

/** The service refused the request. `code` is stable; `message` says what to do. */
export class ApiError extends ZoetropeError {
  override name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly param: string | null;
  readonly retryAfterMs: number | null;
  readonly idempotencyKey: string | null;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.requestId = refusal.requestId;
    this.param = refusal.param;
    this.retryAfterMs = refusal.retryAfterMs;
    this.idempotencyKey = refusal.idempotencyKey;
  }
}

/** 400, 413, 415: the request is wrong; `param` names the field. */
export class InvalidParametersError extends ApiError {
  override name = "InvalidParametersError";
}
/** 401: the key is missing, unknown, revoked or expired. */
export class UnauthorizedError extends ApiError {
  override name = "UnauthorizedError";
}
/** 402: the account or the key cannot pay, or the price is above `maxCredits`. */
export class InsufficientCreditsError extends ApiError {
  override name = "InsufficientCreditsError";
}
/** 403: this key may not do it. */
export class PermissionError extends ApiError {
  override name = "PermissionError";
}
/** 404 */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}
/** 409: something else is still going on. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}
/** 422: the idempotency key was used with another body. */
export class IdempotencyKeyReusedError extends ApiError {
  override name = "IdempotencyKeyReusedError";
}
/** 429: the account has as many open tasks as it may. `batch` waits for room. */
export class ConcurrencyLimitError extends ApiError {
  override name = "ConcurrencyLimitError";
}
/** 429 for any other reason. */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}
/** 5xx */
export class ServerError extends ApiError {
  override name = "ServerError";
}

/** No answer arrived. With an `idempotencyKey` the call can be repeated safely. */
export class ConnectionError extends ZoetropeError {
  override name = "ConnectionError";
  readonly idempotencyKey: string | null;

  constructor(message: string, options: { idempotencyKey: string | null; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.idempotencyKey = options.idempotencyKey;
  }
}

/** The given `timeoutMs` is over. A task goes on: wait for its id again. */
export class TimeoutError extends ZoetropeError {
  override name = "TimeoutError";
}

/** The task ended without a result. Nothing was charged. */
export class TaskFailedError extends ZoetropeError {
  override name = "TaskFailedError";
  readonly code: string;
  readonly task: GenerationTask | UpscaleTask;

  constructor(task: GenerationTask | UpscaleTask, failure: { code: string; message: string }) {
    super(failure.message);
    this.code = failure.code;
    this.task = task;
  }
}

/** A callback is not what the service signed, or is too old. */
export class WebhookError extends ZoetropeError {
  override name = "WebhookError";
}

const byStatus: Readonly<Record<number, new (refusal: Refusal) => ApiError>> = {
  400: InvalidParametersError,
  401: UnauthorizedError,
  402: InsufficientCreditsError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidParametersError,
  415: InvalidParametersError,
  422: IdempotencyKeyReusedError,
  429: RateLimitError,
};

export function errorOf(refusal: Refusal): ApiError {
  if (refusal.code === "concurrency_limit") return new ConcurrencyLimitError(refusal);
  const Kind = byStatus[refusal.status] ?? (refusal.status >= 500 ? ServerError : ApiError);
  return new Kind(refusal);
}
