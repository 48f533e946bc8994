/**
 * The form of fal's errors: a model's in a list with a `type`, those of its machines flat with an
 * `error_type`, those of its gateway only a text.
 */
type Form = "model" | "request" | "plain";

const requestStatuses: Readonly<Record<string, number>> = {
  request_timeout: 504,
  startup_timeout: 504,
  runner_scheduling_failure: 503,
  runner_connection_timeout: 503,
  runner_disconnected: 503,
  runner_connection_refused: 503,
  runner_connection_error: 503,
  runner_incomplete_response: 502,
  runner_server_error: 500,
  client_disconnected: 499,
  client_cancelled: 499,
  concurrent_requests_limit: 429,
  bad_request: 400,
  internal_error: 500,
};

/** The names are the sandbox's: on the wire there is only the text. */
const plainStatuses: Readonly<Record<string, number>> = {
  unauthorized: 401,
  user_locked: 403,
  not_found: 404,
  in_progress: 400,
};

const modelStatuses: Readonly<Record<string, number>> = {
  internal_server_error: 500,
  generation_timeout: 504,
  downstream_service_error: 400,
  downstream_service_unavailable: 500,
};

export class FalError extends Error {
  readonly code: string;
  readonly httpStatus: number;
  readonly form: Form;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
    this.form = formOf(code);
    this.httpStatus =
      requestStatuses[code] ?? plainStatuses[code] ?? modelStatuses[code] ?? unprocessable;
  }
}

/** The status of every type that a model has for an input. */
const unprocessable = 422;

export function formOf(code: string): Form {
  if (Object.hasOwn(requestStatuses, code)) return "request";
  return Object.hasOwn(plainStatuses, code) ? "plain" : "model";
}

export function errorBody({ code, form, message }: FalError) {
  if (form === "plain") return { detail: message };
  if (form === "request") return { detail: message, error_type: code };
  const url = `https://docs.fal.ai/errors#${code}`;
  return { detail: [{ loc: ["body"], msg: message, type: code, url }] };
}

export function internalError(message = "Internal server error"): FalError {
  return new FalError("internal_error", message);
}

export function tooManyRequests(): FalError {
  return new FalError("concurrent_requests_limit", "Concurrent requests limit exceeded");
}
