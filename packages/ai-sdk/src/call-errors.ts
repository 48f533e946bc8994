import { APICallError } from "@ai-sdk/provider";
import { ApiError, ConnectionError, type TaskRequest, ZoetropeError } from "@zoetrope/sdk";

/** `data` of the `APICallError`s that this provider throws. */
export interface ZoetropeErrorData {
  /** Stable; the service's documentation lists them. null: there was no answer. */
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
  request?: TaskRequest;
  /** Tasks that exist already. */
  taskIds?: string[];
  /** Repeating the whole call creates nothing twice. */
  isRepeatable: boolean;
}

/** The error as the AI SDK knows it. What is not of the service, such as an abort, stays as it is. */
export function toCallError(error: unknown, given: Circumstances): unknown {
  if (!(error instanceof ZoetropeError)) return error;
  const { url, request, taskIds = [], isRepeatable } = given;
  const requestBodyValues = request === undefined ? {} : withoutBytes(request);
  const common = { message: error.message, cause: error, url, requestBodyValues };
  const nothing = { code: null, param: null, requestId: null, idempotencyKey: null };
  if (error instanceof ApiError) {
    const { status, code, param, requestId, idempotencyKey, retryAfterMs } = error;
    const data: ZoetropeErrorData = { code, param, requestId, idempotencyKey, taskIds };
    const isBefore = status === 429 && taskIds.length === 0; // nothing was created
    const isRetryable = isPassing(error) && (isRepeatable || isBefore);
    const responseHeaders = {
      ...(requestId === null ? {} : { "x-request-id": requestId }),
      ...(retryAfterMs === null ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }),
    };
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
