/**
 * The error catalogue: everything that can go wrong for a caller, in one place; docs/errors.md is made
 * of it. `status` is the HTTP status of a refusal, which holds nothing; `null` marks the end of a task
 * that had been accepted, where the code appears as `errorCode` and the hold is always given back.
 */
export interface CatalogueEntry {
  status: number | null;
  retryMayHelp: boolean;
  sentence: string;
  /** A refusal that can also be the end of an accepted task: it was not known at create. */
  endsTask?: true;
}

/** After these the caller cannot know whether a task was accepted: only an Idempotency-Key tells. */
export const uncertainCodes: readonly ErrorCode[] = ["internal_error", "service_unavailable"];

export const errorCatalogue = {
  invalid_parameters: { status: 400, retryMayHelp: false, sentence: "Invalid parameters." },
  invalid_json: { status: 400, retryMayHelp: false, sentence: "body: must be valid JSON." },
  malformed_request: {
    status: 400,
    retryMayHelp: false,
    sentence: "This is not a well-formed HTTP request.",
  },
  unauthorized: {
    status: 401,
    retryMayHelp: false,
    sentence: "Missing or invalid API key. Send the header 'Authorization: Bearer <API key>'.",
  },
  insufficient_credits: {
    status: 402,
    retryMayHelp: false,
    sentence: "Not enough credits for this task.",
  },
  price_above_max: {
    status: 402,
    retryMayHelp: false,
    sentence: "The price is above maxCredits. Raise maxCredits or ask for less.",
  },
  key_budget_exceeded: {
    status: 402,
    retryMayHelp: false,
    sentence: "The budget of this API key is used up. Use another key or ask the operator.",
  },
  model_not_allowed: {
    status: 403,
    retryMayHelp: false,
    sentence: "This API key may not use this model.",
  },
  scope_missing: {
    status: 403,
    retryMayHelp: false,
    sentence: "This API key does not have the scope that this request needs. Use another key.",
  },
  access_denied: {
    status: 403,
    retryMayHelp: false,
    sentence: "Access denied: this task belongs to another account.",
  },
  upload_link_invalid: {
    status: 403,
    retryMayHelp: false,
    sentence: "This upload link is not valid or has expired. Read the upload for fresh links.",
  },
  media_link_invalid: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "This file needs a signed link, and this one is unsigned or has expired. Read the asset for a fresh previewUrl.",
  },
  task_not_found: { status: 404, retryMayHelp: false, sentence: "Task not found." },
  not_found: { status: 404, retryMayHelp: false, sentence: "There is nothing at this address." },
  asset_not_found: { status: 404, retryMayHelp: false, sentence: "Asset not found." },
  upload_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Upload not found. It may have expired: begin a new one.",
  },
  delivery_not_found: { status: 404, retryMayHelp: false, sentence: "Delivery not found." },
  media_not_found: { status: 404, retryMayHelp: false, sentence: "There is no such media file." },
  method_not_allowed: {
    status: 405,
    retryMayHelp: false,
    sentence: "This address does not take this method; the header 'Allow' lists those it takes.",
  },
  request_timeout: {
    status: 408,
    retryMayHelp: true,
    sentence: "The request did not arrive in time. Send it again.",
  },
  task_not_over: {
    status: 409,
    retryMayHelp: true,
    sentence: "The task is still running. Its media can be deleted when it has ended.",
  },
  asset_in_use: {
    status: 409,
    retryMayHelp: true,
    sentence: "A running task uses this asset. Delete it when the task has ended.",
  },
  request_in_progress: {
    status: 409,
    retryMayHelp: true,
    sentence: "A request with this Idempotency-Key is still running. Repeat it in a moment.",
  },
  redeliveries_spent: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "This delivery was made again 20 times. Read its body with GET /api/v1/webhooks/delivery, or catch up with GET /api/v1/events.",
  },
  body_too_large: { status: 413, retryMayHelp: false, sentence: "The body is too large." },
  unsupported_media_type: {
    status: 415,
    retryMayHelp: false,
    sentence: "Send the body as JSON, with the header 'Content-Type: application/json'.",
  },
  expectation_failed: {
    status: 417,
    retryMayHelp: false,
    sentence: "The header 'Expect' may only ask for 100-continue.",
  },
  idempotency_key_reused: {
    status: 422,
    retryMayHelp: false,
    sentence: "This Idempotency-Key was used with a different body. Use a new key for a new task.",
  },
  concurrency_limit: {
    status: 429,
    retryMayHelp: true,
    sentence: "Too many tasks at once. Wait until one of them has finished.",
  },
  open_assets_limit: {
    status: 429,
    retryMayHelp: true,
    sentence: "Too many files are still being fetched. Wait until one of them is stored.",
  },
  open_uploads_limit: {
    status: 429,
    retryMayHelp: true,
    sentence: "Too many uploads are open. Complete one, or wait until one expires.",
  },
  storage_limit: {
    status: 429,
    retryMayHelp: true,
    sentence: "The storage of this account is full. Delete assets that you no longer need.",
  },
  rate_limited: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "Too many requests with this API key or from this address. The header 'Retry-After' says when to retry.",
  },
  too_many_requests: {
    status: 429,
    retryMayHelp: true,
    sentence: "Too many requests of this account at once. Wait for their answers, then retry.",
  },
  redelivery_limit: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "This account has asked for too many redeliveries in the last minute. Retry after the seconds in the header 'Retry-After'.",
  },
  test_event_limit: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "This account has sent too many test events in the last minute. Retry after the seconds in the header 'Retry-After'.",
  },
  too_many_streams: {
    status: 429,
    retryMayHelp: true,
    sentence: "This account follows too many tasks at once. Close some streams or poll.",
  },
  headers_too_large: {
    status: 431,
    retryMayHelp: false,
    sentence: "The address and headers of the request are too large.",
  },
  internal_error: {
    status: 500,
    retryMayHelp: true,
    sentence: "Internal server error. Retry after a few seconds.",
  },
  service_unavailable: {
    status: 503,
    retryMayHelp: true,
    sentence: "The service is temporarily unavailable. Retry after a few seconds.",
  },
  account_busy: {
    status: 503,
    retryMayHelp: true,
    sentence: "Other requests of this account are in the way. Retry after a few seconds.",
  },
  streams_full: {
    status: 503,
    retryMayHelp: true,
    sentence: "No more event streams at the moment. Retry after a few seconds, or poll.",
  },

  INVALID_URL: {
    status: 400,
    endsTask: true,
    retryMayHelp: false,
    sentence:
      "The source's URL must be a public https URL, or the storageUrl of an asset of yours.",
  },
  URL_NOT_REACHABLE: {
    status: 400,
    endsTask: true,
    retryMayHelp: true,
    sentence: "The source could not be fetched. Its address must be public and stay reachable.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 400,
    endsTask: true,
    retryMayHelp: false,
    sentence: "The source is not a video that can be upscaled. Send MP4, MOV or WebM.",
  },
  FILE_TOO_LARGE: {
    status: 400,
    endsTask: true,
    retryMayHelp: false,
    sentence: "The source is larger than 200 MB.",
  },
  DURATION_EXCEEDS_LIMIT: {
    status: 400,
    endsTask: true,
    retryMayHelp: false,
    sentence: "The source is longer than 600 s.",
  },
  SOURCE_RESOLUTION_TOO_HIGH: {
    status: 400,
    endsTask: true,
    retryMayHelp: false,
    sentence: "The source's short side must be less than the target's.",
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    endsTask: true,
    retryMayHelp: false,
    sentence: "Not enough credits for this upscale.",
  },

  input_blocked: {
    status: null,
    retryMayHelp: false,
    sentence: "The vendor's content rules refused the prompt or an input. Change it and try again.",
  },
  output_blocked: {
    status: null,
    retryMayHelp: true,
    sentence: "The vendor's content rules withheld the result. Another prompt or seed may pass.",
  },
  copyright_blocked: {
    status: null,
    retryMayHelp: false,
    sentence: "The vendor refused the task for copyright reasons. Change the prompt or the inputs.",
  },
  real_person_blocked: {
    status: null,
    retryMayHelp: false,
    sentence: "An input shows a real person. Upload it as an asset and use its asset:// reference.",
  },
  input_unreachable: {
    status: null,
    retryMayHelp: true,
    sentence: "An input could not be fetched. Its address must be public and stay reachable.",
  },
  input_unusable: {
    status: null,
    retryMayHelp: false,
    sentence: "An input is not a file that the model can use. Check its type, size and length.",
  },
  vendor_refused: {
    status: null,
    retryMayHelp: false,
    sentence: "The vendor did not accept this request.",
  },
  vendor_failed: {
    status: null,
    retryMayHelp: true,
    sentence: "The vendor could not make the result. Trying again may help.",
  },
  vendor_unavailable: {
    status: null,
    retryMayHelp: true,
    sentence: "The vendor cannot take this task at the moment. Trying again later may help.",
  },
  vendor_unconfirmed: {
    status: null,
    retryMayHelp: true,
    sentence: "The vendor never confirmed the task, so it was given up. Trying again may help.",
  },
  output_unusable: {
    status: null,
    retryMayHelp: true,
    sentence: "The vendor's result could not be fetched or is not a video. Trying again may help.",
  },
  task_expired: {
    status: null,
    retryMayHelp: true,
    sentence: "The task reached its maximum age without a result. Trying again may help.",
  },
  task_broken: {
    status: null,
    retryMayHelp: true,
    sentence: "The task failed inside this service. Trying again may help.",
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** The codes that end an accepted task. */
export type FailureCode = {
  [Code in ErrorCode]: (typeof errorCatalogue)[Code] extends { status: null } | { endsTask: true }
    ? Code
    : never;
}[ErrorCode];

/** The codes that refuse a request. */
export type RefusalCode = {
  [Code in ErrorCode]: (typeof errorCatalogue)[Code]["status"] extends number ? Code : never;
}[ErrorCode];

interface ApiErrorOptions {
  message?: string;
  param?: string;
  retryAfterSeconds?: number;
}

/** A refusal that the caller is told about. `message` is public; anything secret goes to the log. */
export class ApiError extends Error {
  readonly code: RefusalCode;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: RefusalCode, options: ApiErrorOptions = {}) {
    super(options.message ?? errorCatalogue[code].sentence);
    this.code = code;
    this.param = options.param;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export function invalid(param: string, message: string): ApiError {
  return new ApiError("invalid_parameters", { param, message: `${param}: ${message}` });
}
