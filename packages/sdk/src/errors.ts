import type { GenerationTask, UpscaleTask } from "./generated.ts";

export interface ErrorFacts {
  /** Stable, for programs. */
  code?: string | undefined;
  requestId?: string | null | undefined;
  /** Repeat the call with it, and it has its effect once. */
  idempotencyKey?: string | null | undefined;
  cause?: unknown;
}

/** Every error that this package throws, but for what `AbortSignal`s of the caller throw. */
export class ZoetropeError extends Error {
  override name = "ZoetropeError";
  readonly code: string;
  /** The request id from the response, for a report to the operator. */
  readonly requestId: string | null;
  /** The idempotency key of the call. A call repeated with it has its effect once. */
  readonly idempotencyKey: string | null;

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.code = facts.code ?? "invalid_call";
    this.requestId = facts.requestId ?? null;
    this.idempotencyKey = facts.idempotencyKey ?? null;
  }
}

/** The number of open tasks that the account can have, and how many more it may open now. */
export interface OpenTasks {
  max: number;
  left: number;
}

export interface Refusal {
  status: number;
  code: string;
  message: string;
  requestId: string | null;
  /** The path of the invalid field, such as `inputs.urls[2]`. */
  param: string | null;
  /** The time that the service asks to wait before a retry. */
  retryAfterMs: number | null;
  idempotencyKey: string | null;
  openTasks?: OpenTasks | null;
}

/** The service refused the request. `code` is stable; `message` says what to do. */
export class ApiError extends ZoetropeError {
  override name = "ApiError";
  readonly status: number;
  readonly param: string | null;
  readonly retryAfterMs: number | null;
  readonly openTasks: OpenTasks | null;

  constructor(refusal: Refusal) {
    super(refusal.message, refusal);
    this.status = refusal.status;
    this.param = refusal.param;
    this.retryAfterMs = refusal.retryAfterMs;
    this.openTasks = refusal.openTasks ?? null;
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

/** No complete response arrived. With an `idempotencyKey` the call can be repeated safely. */
export class ConnectionError extends ZoetropeError {
  override name = "ConnectionError";
  /** The id of an upload that was interrupted: with it, only the missing parts are sent. */
  readonly uploadId: string | null;

  constructor(message: string, facts: ErrorFacts & { uploadId?: string } = {}) {
    super(message, { code: "no_answer", ...facts });
    this.uploadId = facts.uploadId ?? null;
  }
}

/** The phase that a call was waiting for. */
export type Phase = "upload" | "review" | "task";

/** The given `timeoutMs` is over. A task keeps running: wait for its `taskId` again. */
export class TimeoutError extends ZoetropeError {
  override name = "TimeoutError";
  /** Null while it was not created yet. */
  readonly taskId: string | null;
  /** The phase that was not over. */
  readonly phase: Phase;

  constructor(message: string, facts: ErrorFacts & { taskId?: string | null; phase?: Phase } = {}) {
    super(message, { code: "timeout", ...facts });
    this.taskId = facts.taskId ?? null;
    this.phase = facts.phase ?? "task";
  }
}

/** The task ended without a result. Nothing was charged. */
export class TaskFailedError extends ZoetropeError {
  override name = "TaskFailedError";
  readonly task: GenerationTask | UpscaleTask;

  constructor(
    task: GenerationTask | UpscaleTask,
    { message, ...facts }: ErrorFacts & { message: string },
  ) {
    super(message, facts);
    this.task = task;
  }
}

/** A file cannot be uploaded or was refused by its review; `message` says why. */
export class FileError extends ZoetropeError {
  override name = "FileError";
}

/** The file of an output cannot be had: its link has expired, or its media was deleted. */
export class OutputError extends ZoetropeError {
  override name = "OutputError";
}

/** A callback is not what the service signed, or is too old. */
export class WebhookError extends ZoetropeError {
  override name = "WebhookError";

  constructor(message: string) {
    super(message, { code: "webhook_invalid" });
  }
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
