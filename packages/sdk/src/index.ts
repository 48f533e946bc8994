// biome-ignore-all lint/performance/noBarrelFile: what the package offers
export {
  ApiError,
  ConcurrencyLimitError,
  ConflictError,
  ConnectionError,
  IdempotencyKeyReusedError,
  InsufficientCreditsError,
  InvalidParametersError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TaskFailedError,
  TimeoutError,
  UnauthorizedError,
  WebhookError,
  ZoetropeError,
} from "./errors.ts";
export type { WaitOptions } from "./follow-task.ts";
export type { Event, Model, Transfer } from "./generated.ts";
export type { Output } from "./outputs.ts";
export type { BatchOptions, BatchResult } from "./run-batch.ts";
export type { Call, CallOptions } from "./transport.ts";
export type {
  Asset,
  AssetType,
  GenerationTask,
  InputsOf,
  ModelName,
  TargetResolution,
  TaskRequest,
  UpscaleTask,
} from "./types.ts";
export type { FileLike, UploadOptions } from "./upload-file.ts";
export { signWebhook, unwrapWebhook } from "./webhooks.ts";
export {
  type BatchRequest,
  type ClientOptions,
  type CompletedTask,
  type CreateOptions,
  type RunOptions,
  Zoetrope,
} from "./zoetrope.ts";
