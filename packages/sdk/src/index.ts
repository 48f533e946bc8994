// biome-ignore-all lint/performance/noBarrelFile: what the package offers
export type { CreateOptions } from "./calls.ts";
export {
  ApiError,
  ConcurrencyLimitError,
  ConflictError,
  ConnectionError,
  FileError,
  IdempotencyKeyReusedError,
  InsufficientCreditsError,
  InvalidParametersError,
  NotFoundError,
  type OpenTasks,
  OutputError,
  PermissionError,
  RateLimitError,
  ServerError,
  TaskFailedError,
  TimeoutError,
  UnauthorizedError,
  WebhookError,
  ZoetropeError,
} from "./errors.ts";
export type { EventsOptions, Step } from "./follow-events.ts";
export type { WaitOptions } from "./follow-task.ts";
export type { Event, Key, Model, Transfer } from "./generated.ts";
export type { KeyLimits } from "./keys.ts";
export type { Output } from "./outputs.ts";
export type { FileLike } from "./read-file.ts";
export type { BatchOptions, BatchResult } from "./run-batch.ts";
export type { Call, CallOptions, Signalled } from "./transport.ts";
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
export type { FormOptions, UploadOptions } from "./upload-file.ts";
export type {
  CompletedUpscale,
  CreateUpscaleOptions,
  RunUpscaleOptions,
  UpscaleSource,
} from "./upscales.ts";
export { signWebhook, unwrapWebhook } from "./webhooks.ts";
export {
  type BatchRequest,
  type ClientOptions,
  type CompletedTask,
  type RunOptions,
  type SessionOptions,
  Zoetrope,
} from "./zoetrope.ts";
