// biome-ignore-all lint/performance/noBarrelFile: what the package offers
export { assetNameOf, type WaitAssetOptions } from "./assets.ts";
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
  type Phase,
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
export type { Made } from "./made.ts";
export type { Output } from "./outputs.ts";
export type { FileLike } from "./read-file.ts";
export type { BatchOptions, BatchProgress, BatchResult } from "./run-batch.ts";
export type { Created } from "./stages.ts";
export type { AssetReadiness, FileProgress, Progress } from "./take-files.ts";
export type { Call, CallOptions, Signalled } from "./transport.ts";
export type {
  AnyModel,
  Asset,
  AssetType,
  GenerationTask,
  InputsOf,
  ModelName,
  RequestOf,
  TargetResolution,
  TaskRequest,
  UpscaleTask,
} from "./types.ts";
export type { FormOptions, UploadOptions } from "./upload-file.ts";
export type {
  CompletedUpscale,
  CreateUpscaleOptions,
  RunUpscaleOptions,
  UpscaleRequest,
  UpscaleSource,
} from "./upscales.ts";
export { signWebhook, unwrapWebhook, type WebhookEvent } from "./webhooks.ts";
export {
  type BatchRequest,
  type ClientOptions,
  type CompletedTask,
  type RunOptions,
  type SessionOptions,
  Zoetrope,
} from "./zoetrope.ts";
