import { APICallError, NoSuchModelError } from "@ai-sdk/provider";
import { ApiError, ConnectionError, type TaskRequest, ZoetropeError } from "@zoetrope/sdk";

/** `data` of the `APICallError`s that this provider throws. */
export interface ZoetropeErrorData {
  /**
   * The error code. It is stable; the service's documentation lists all codes. null: there was no
   * response.
   */
  code: string | null;
  /** The path of the invalid field, such as `inputs.duration`. */
  param: string | null;
  requestId: string | null;
  /** Repeat the call with it as `Idempotency-Key`, and nothing is created twice. */
  idempotencyKey: string | null;
  taskIds: string[];
}

interface Circumstances {
  url: string;
  request?: TaskRequest | undefined;
  /** The model type of a call that names a model. */
  modelType?: "videoModel" | "imageModel";
  /** Tasks that exist already. */
  taskIds?: string[];
  /** Repeating the whole call creates nothing twice. */
  isRepeatable: boolean;
}

/** Converts an error to the AI SDK's types. An error of another origin, such as an abort, stays as it is. */
export function toCallError(error: unknown, given: Circumstances): unknown {
  if (!(error instanceof ZoetropeError)) return error;
  const { url, request, taskIds = [], modelType, isRepeatable } = given;
  if (request !== undefined && modelType !== undefined && isUnknownModel(error))
    return new NoSuchModelError({ modelId: request.model, modelType, message: error.message });
  const requestBodyValues = request === undefined ? {} : withoutBytes(request);
  const common = { message: error.message, cause: error, url, requestBodyValues };
  const nothing = { code: null, param: null, requestId: null, idempotencyKey: null };
  if (error instanceof ApiError) {
    const { status, code, param, requestId, idempotencyKey, retryAfterMs } = error;
    const data: ZoetropeErrorData = { code, param, requestId, idempotencyKey, taskIds };
    const isBefore = status === 429 && taskIds.length === 0; // nothing was created
    const isRetryable = isPassing(error) && (isRepeatable || isBefore);
    const responseHeaders: Record<string, string> = {};
    if (requestId !== null) responseHeaders["x-request-id"] = requestId;
    if (retryAfterMs !== null)
      responseHeaders["retry-after"] = String(Math.ceil(retryAfterMs / 1000));
    return new APICallError({ ...common, statusCode: status, responseHeaders, isRetryable, data });
  }
  if (error instanceof ConnectionError) {
    const { idempotencyKey } = error;
    const data: ZoetropeErrorData = { ...nothing, idempotencyKey, taskIds };
    return new APICallError({ ...common, isRetryable: isRepeatable, data });
  }
  const { code, idempotencyKey } = error;
  const data: ZoetropeErrorData = { ...nothing, code, idempotencyKey, taskIds };
  return new APICallError({ ...common, isRetryable: false, data });
}

function isUnknownModel(error: ZoetropeError): boolean {
  return error instanceof ApiError && error.status === 400 && error.param === "model";
}

function isPassing({ status, code }: ApiError): boolean {
  return status >= 500 || status === 429 || status === 408 || code === "request_in_progress";
}

function withoutBytes({ model, inputs }: TaskRequest): unknown {
  const shown = Object.entries(inputs).map(([name, value]) => [
    name,
    Array.isArray(value)
      ? value.map((one: unknown) => (typeof one === "string" ? one : "(file)"))
      : value,
  ]);
  return { model, inputs: Object.fromEntries(shown) };
}
