import { randomUUID } from "node:crypto";

/** An error as DashScope reports it, in an HTTP response or in the `output` of a failed task. */
export class DashScopeError extends Error {
  readonly code: string;
  readonly httpStatus: number;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
    this.httpStatus = httpStatusOf(code);
  }
}

const httpStatuses: readonly (readonly [RegExp, number])[] = [
  [/^(InvalidApiKey|AuthenticationError)/, 401],
  [/^(AccessDenied|Workspace\.AccessDenied)/, 403],
  [/^(ModelNotExist|ModelNotFound|NotFound)/, 404],
  [/^Throttling/, 429],
  [/^InternalError/, 500],
  [/^ServiceUnavailable/, 503],
];

/** The HTTP status that goes with a code; `Arrearage` and codes we do not know are bad requests. */
function httpStatusOf(code: string): number {
  return httpStatuses.find(([pattern]) => pattern.test(code))?.[1] ?? 400;
}

export function errorBody(error: DashScopeError, requestId: string = randomUUID()) {
  return { request_id: requestId, code: error.code, message: error.message };
}

export function invalidParameter(message: string): DashScopeError {
  return new DashScopeError("InvalidParameter", message);
}

export function rateExceeded(): DashScopeError {
  const message = "Requests rate limit exceeded, please try again later.";
  return new DashScopeError("Throttling.RateQuota", message);
}

export function internalError(message = "An internal error has occurred, please try again later.") {
  return new DashScopeError("InternalError", message);
}
