/**
 * The error catalogue, from which docs/generated/errors.md is rendered. `status` is the HTTP status of
 * a refusal, which holds nothing; `null` marks the failure of an accepted task, where the code appears
 * as `errorCode` and the hold is always released.
 */
export interface CatalogueEntry {
  status: number | null;
  retryMayHelp: boolean;
  sentence: string;
  /** Of the operator API alone. */
  staff?: true;
  /** A refusal that can also fail an accepted task, if the fault was not known at create. */
  endsTask?: true;
}

/** After these the caller cannot know whether a task was accepted, unless it sent an Idempotency-Key. */
export const uncertainCodes: readonly ErrorCode[] = ["internal_error", "service_unavailable"];

export const errorCatalogue = {
  invalid_parameters: { status: 400, retryMayHelp: false, sentence: "Invalid parameters." },
  invalid_json: { status: 400, retryMayHelp: false, sentence: "body: must be valid JSON." },
  malformed_request: {
    status: 400,
    retryMayHelp: false,
    sentence: "The request is not well-formed HTTP.",
  },
  account_required: {
    status: 400,
    retryMayHelp: false,
    sentence:
      "This person has several accounts, or none. Name one in the header 'Zoetrope-Account'; GET /api/v1/me lists them.",
  },
  unauthorized: {
    status: 401,
    retryMayHelp: false,
    sentence: "Missing or invalid API key. Send the header 'Authorization: Bearer <API key>'.",
  },
  signed_out: {
    status: 401,
    retryMayHelp: false,
    sentence: "Not signed in, or the session has ended. Sign in.",
  },
  sign_in_failed: {
    status: 401,
    retryMayHelp: false,
    sentence: "The e-mail address or the password is wrong.",
  },
  second_factor_wrong: {
    status: 401,
    retryMayHelp: true,
    sentence:
      "This code is wrong, has expired or was used before. Enter the current code of your authenticator app, or a recovery code.",
  },
  passkey_refused: {
    status: 401,
    retryMayHelp: true,
    sentence: "This passkey was not accepted. Start again, or sign in another way.",
  },
  oidc_refused: {
    status: 401,
    retryMayHelp: true,
    sentence: "The sign-in at your company's provider could not be verified. Start again.",
  },
  insufficient_credits: {
    status: 402,
    retryMayHelp: false,
    sentence: "Not enough credits for this task.",
  },
  price_above_max: {
    status: 402,
    retryMayHelp: false,
    sentence: "The price exceeds maxCredits. Raise maxCredits or request a cheaper task.",
  },
  key_budget_exceeded: {
    status: 402,
    retryMayHelp: false,
    sentence:
      "The budget of this API key is used up. Use another key or ask the operator to raise the budget.",
  },
  account_suspended: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "This account is suspended: it accepts nothing new. Running tasks finish, and everything can still be read. Contact the operator of this service.",
  },
  model_switched_off: {
    status: 403,
    retryMayHelp: true,
    sentence:
      "This model is switched off at the moment. GET /api/v1/models lists the models that are available.",
  },
  model_not_allowed: {
    status: 403,
    retryMayHelp: false,
    sentence: "This API key is not allowed to use this model.",
  },
  scope_missing: {
    status: 403,
    retryMayHelp: false,
    sentence: "This API key lacks the scope that this request requires. Use another key.",
  },
  key_beyond_own_limits: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "An API key cannot give another key more than it has itself. Ask for less, or let an owner of the account do it.",
  },
  person_required: {
    status: 403,
    retryMayHelp: false,
    sentence: "This endpoint is for signed-in people. An API key cannot call it.",
  },
  not_a_member: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "This person is not a member of the account in 'Zoetrope-Account'. GET /api/v1/me lists the accounts.",
  },
  password_wrong: {
    status: 403,
    retryMayHelp: false,
    sentence: "The current password is wrong.",
  },
  role_missing: {
    status: 403,
    retryMayHelp: false,
    sentence: "Your role does not allow this request. Ask an owner of the account.",
  },
  origin_refused: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "This request carries a session but does not come from the console's own pages. Use an API key elsewhere.",
  },
  access_denied: {
    status: 403,
    retryMayHelp: false,
    sentence: "Access denied: this task belongs to another account.",
  },
  oidc_not_invited: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "This company sign-in belongs to nobody here. Open the link in your invitation and accept it by company sign-in; if you have a password here, sign in with it and link the company sign-in.",
  },
  oidc_email_refused: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "The provider has not verified the e-mail address that the invitation was sent to. Accept the invitation with a password, or ask for one to the address that your company sign-in has.",
  },
  link_invalid: {
    status: 403,
    retryMayHelp: false,
    sentence: "This link was used already or has expired. Ask for a new one.",
  },
  upload_link_invalid: {
    status: 403,
    retryMayHelp: false,
    sentence: "This upload link is invalid or has expired. Read the upload to get new links.",
  },
  media_link_invalid: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "This file requires a signed link; this link is unsigned or has expired. Read the asset to get a new previewUrl.",
  },
  task_not_found: { status: 404, retryMayHelp: false, sentence: "Task not found." },
  not_found: { status: 404, retryMayHelp: false, sentence: "There is no such endpoint." },
  person_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "There is no such person here. List the people to find the id.",
  },
  session_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Session not found. It may have ended already.",
  },
  invitation_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Invitation not found. It may have been accepted or have expired.",
  },
  asset_not_found: { status: 404, retryMayHelp: false, sentence: "Asset not found." },
  upload_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Upload not found. It may have expired; create a new one.",
  },
  key_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "There is no such API key in this account, or it is revoked.",
  },
  endpoint_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "There is no such webhook endpoint in this account.",
  },
  delivery_not_found: { status: 404, retryMayHelp: false, sentence: "Delivery not found." },
  media_not_found: { status: 404, retryMayHelp: false, sentence: "Media file not found." },
  passkey_not_found: { status: 404, retryMayHelp: false, sentence: "Passkey not found." },
  identity_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Linked company sign-in not found.",
  },
  oidc_not_configured: {
    status: 404,
    retryMayHelp: false,
    sentence: "This service has no company sign-in. Sign in with a password or a passkey.",
  },
  account_not_found: {
    status: 404,
    staff: true,
    retryMayHelp: false,
    sentence: "There is no account with this id.",
  },
  grant_not_found: { status: 404, staff: true, retryMayHelp: false, sentence: "Grant not found." },
  vendor_account_not_found: {
    status: 404,
    staff: true,
    retryMayHelp: false,
    sentence:
      "There is no such vendor account in the database. Accounts of the setting VENDORS are changed in the setting.",
  },
  stuck_row_not_found: {
    status: 404,
    staff: true,
    retryMayHelp: false,
    sentence: "There is no such stuck row.",
  },
  switch_not_found: {
    status: 404,
    staff: true,
    retryMayHelp: false,
    sentence: "There is no such switch.",
  },
  method_not_allowed: {
    status: 405,
    retryMayHelp: false,
    sentence:
      "This endpoint does not support this method. The 'Allow' header lists the supported ones.",
  },
  request_timeout: {
    status: 408,
    retryMayHelp: true,
    sentence: "The request was not received completely in time. Send it again.",
  },
  task_not_over: {
    status: 409,
    retryMayHelp: true,
    sentence: "The task is still running. Delete its media after it has ended.",
  },
  account_closed: {
    status: 409,
    staff: true,
    retryMayHelp: false,
    sentence: "This account is closed.",
  },
  grant_decided: {
    status: 409,
    staff: true,
    retryMayHelp: false,
    sentence:
      "This grant is decided already, or has expired. Ask for it again if it is still needed.",
  },
  second_person_needed: {
    status: 409,
    staff: true,
    retryMayHelp: false,
    sentence: "A grant of this size is approved by a second person, not by whoever asked for it.",
  },
  balance_too_low: {
    status: 409,
    staff: true,
    retryMayHelp: true,
    sentence:
      "The adjustment would take more credits than are available. Deduct less, or wait until running tasks have ended.",
  },
  task_over: {
    status: 409,
    staff: true,
    retryMayHelp: false,
    sentence: "The task has ended already.",
  },
  ledger_check_running: {
    status: 409,
    staff: true,
    retryMayHelp: true,
    sentence: "A check of the ledger is running. Read its result when it has finished.",
  },
  last_owner: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "This is the last person with this role, which somebody must have. Give the role to another person first.",
  },
  already_member: {
    status: 409,
    retryMayHelp: false,
    sentence: "This person is a member already. Change the role instead.",
  },
  too_many_members: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "The limit of people and open invitations is reached. Remove a person or an invitation first.",
  },
  email_taken: {
    status: 409,
    retryMayHelp: false,
    sentence: "Another person uses this e-mail address.",
  },
  asset_in_use: {
    status: 409,
    retryMayHelp: true,
    sentence: "A running task uses this asset. Delete it after the task has ended.",
  },
  review_claimed: {
    status: 409,
    retryMayHelp: true,
    sentence: "Another reviewer is judging this asset. Claim the next one.",
  },
  claim_lost: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "You no longer hold the claim of this asset: it has expired, was released, or the asset no longer waits. Nothing was decided. Claim the asset again if it still waits.",
  },
  claims_limit: {
    status: 409,
    retryMayHelp: true,
    sentence: "You have claimed 20 assets, which is the maximum. Judge or release some of them.",
  },
  undo_too_late: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "This decision can no longer be undone: only the reviewer who made it can undo it, within 10 minutes, and not once it is final.",
  },
  request_in_progress: {
    status: 409,
    retryMayHelp: true,
    sentence: "A request with this Idempotency-Key is still being processed. Retry in a second.",
  },
  redeliveries_spent: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "This delivery has been redelivered 20 times, which is the maximum. Read its body with GET /api/v1/webhooks/delivery, or read missed events with GET /api/v1/events.",
  },
  totp_enabled: {
    status: 409,
    retryMayHelp: false,
    sentence: "An authenticator app is enabled already. Disable it first to enrol another one.",
  },
  totp_not_enabled: {
    status: 409,
    retryMayHelp: false,
    sentence: "No authenticator app is enabled. Enrol one first.",
  },
  second_factor_done: {
    status: 409,
    retryMayHelp: false,
    sentence: "This session needs no second factor: it is signed in.",
  },
  passkey_exists: {
    status: 409,
    retryMayHelp: false,
    sentence: "This passkey is registered already. Use another authenticator.",
  },
  passkeys_limit: {
    status: 409,
    retryMayHelp: false,
    sentence: "A person has at most 20 passkeys. Remove one first.",
  },
  identity_taken: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "This company sign-in is linked to another person. Sign in with it, or ask that person to unlink it.",
  },
  last_factor: {
    status: 409,
    retryMayHelp: false,
    sentence: "This is your only way to sign in. Set a password or add a passkey first.",
  },
  body_too_large: { status: 413, retryMayHelp: false, sentence: "The request body is too large." },
  unsupported_media_type: {
    status: 415,
    retryMayHelp: false,
    sentence: "Send the body as JSON, with the header 'Content-Type: application/json'.",
  },
  expectation_failed: {
    status: 417,
    retryMayHelp: false,
    sentence: "The 'Expect' header supports only '100-continue'.",
  },
  idempotency_key_reused: {
    status: 422,
    retryMayHelp: false,
    sentence:
      "This Idempotency-Key was already used with a different body. Use a new key for a new task.",
  },
  concurrency_limit: {
    status: 429,
    retryMayHelp: true,
    sentence: "Too many tasks are running. Wait until one of them has finished.",
  },
  open_assets_limit: {
    status: 429,
    retryMayHelp: true,
    sentence: "Too many files are still being fetched. Wait until one of them has been stored.",
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
  live_keys_limit: {
    status: 429,
    retryMayHelp: true,
    sentence: "This account has 10 live API keys, which is the maximum. Revoke one first.",
  },
  new_keys_limit: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "This account has created 200 API keys within a day, which is the maximum. Retry later, or change an existing key.",
  },
  too_many_guesses: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "Too many failed attempts to sign in. Wait before the next one, or reset the password.",
  },
  changes_limit: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "This account has changed its keys and webhook endpoints too often in the last minute. Retry after the number of seconds in the 'Retry-After' header.",
  },
  endpoints_limit: {
    status: 429,
    retryMayHelp: true,
    sentence: "This account has 10 webhook endpoints, which is the maximum. Delete one first.",
  },
  rate_limited: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "Too many requests with this API key or from this IP address. Retry after the number of seconds in the 'Retry-After' header.",
  },
  second_factor_locked: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "Too many wrong codes. Try again after the number of seconds in the 'Retry-After' header, or sign in with a passkey.",
  },
  too_many_requests: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "Too many concurrent requests from this account. Retry when some of them have completed.",
  },
  redelivery_limit: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "This account has requested too many redeliveries in the last minute. Retry after the number of seconds in the 'Retry-After' header.",
  },
  test_event_limit: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "This account has sent too many test events in the last minute. Retry after the number of seconds in the 'Retry-After' header.",
  },
  too_many_streams: {
    status: 429,
    retryMayHelp: true,
    sentence: "This account has too many open event streams. Close some of them, or poll instead.",
  },
  headers_too_large: {
    status: 431,
    retryMayHelp: false,
    sentence: "The URL and headers of the request are too large.",
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
  oidc_unavailable: {
    status: 503,
    retryMayHelp: true,
    sentence:
      "The provider of the company sign-in does not answer. Try again later, or sign in with a password or a passkey.",
  },
  account_busy: {
    status: 503,
    retryMayHelp: true,
    sentence: "Another request of this account is still being processed. Retry in a second.",
  },
  streams_full: {
    status: 503,
    retryMayHelp: true,
    sentence:
      "No more event streams are available at the moment. Retry in a few seconds, or poll instead.",
  },

  INVALID_URL: {
    status: 400,
    endsTask: true,
    retryMayHelp: false,
    sentence: "The source must be a public https URL or the storageUrl of one of your assets.",
  },
  URL_NOT_REACHABLE: {
    status: 400,
    endsTask: true,
    retryMayHelp: true,
    sentence: "The source could not be fetched. Its URL must be public and stay reachable.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 400,
    endsTask: true,
    retryMayHelp: false,
    sentence: "The source is not a supported video. Use MP4, MOV or WebM.",
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
    sentence: "The short side of the source must be smaller than that of the target resolution.",
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
    sentence:
      "The prompt or an input was blocked by the vendor's content policy. Change it and create a new task.",
  },
  output_blocked: {
    status: null,
    retryMayHelp: true,
    sentence:
      "The output was blocked by the vendor's content policy. Another prompt or seed may succeed.",
  },
  copyright_blocked: {
    status: null,
    retryMayHelp: false,
    sentence: "The task was blocked for copyright reasons. Change the prompt or the inputs.",
  },
  real_person_blocked: {
    status: null,
    retryMayHelp: false,
    sentence:
      "An input shows a real person. Upload it as an asset and reference it as asset://<upstreamAssetId>.",
  },
  input_unreachable: {
    status: null,
    retryMayHelp: true,
    sentence: "An input could not be fetched. Its URL must be public and stay reachable.",
  },
  input_unusable: {
    status: null,
    retryMayHelp: false,
    sentence:
      "An input file does not meet the model's requirements. Check its type, size and duration.",
  },
  vendor_refused: {
    status: null,
    retryMayHelp: false,
    sentence: "The vendor rejected the request.",
  },
  vendor_failed: {
    status: null,
    retryMayHelp: true,
    sentence: "The vendor failed to generate the output. Retrying may help.",
  },
  vendor_unavailable: {
    status: null,
    retryMayHelp: true,
    sentence: "The vendor is unavailable at the moment. Retrying later may help.",
  },
  vendor_unconfirmed: {
    status: null,
    retryMayHelp: true,
    sentence: "The vendor never confirmed the task, so it was abandoned. Retrying may help.",
  },
  output_unusable: {
    status: null,
    retryMayHelp: true,
    sentence: "The vendor's output could not be fetched or is damaged. Retrying may help.",
  },
  task_expired: {
    status: null,
    retryMayHelp: true,
    sentence: "The task reached its maximum age before it completed. Retrying may help.",
  },
  ended_by_operator: {
    status: null,
    retryMayHelp: true,
    sentence: "The operator of this service ended the task. Retrying may help.",
  },
  task_broken: {
    status: null,
    retryMayHelp: true,
    sentence: "The task failed because of an internal error. Retrying may help.",
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

/** The open tasks of an account, and how many it can have. */
export interface OpenTasks {
  open: number;
  max: number;
}

interface ApiErrorOptions {
  message?: string;
  param?: string;
  retryAfterSeconds?: number;
  /** Of a refusal for too many of them. */
  openTasks?: OpenTasks;
}

/** A refusal that is returned to the caller. `message` is public; details go to the log only. */
export class ApiError extends Error {
  readonly code: RefusalCode;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly openTasks: OpenTasks | undefined;

  constructor(code: RefusalCode, options: ApiErrorOptions = {}) {
    super(options.message ?? errorCatalogue[code].sentence);
    this.code = code;
    this.param = options.param;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.openTasks = options.openTasks;
  }
}

export function invalid(param: string, message: string): ApiError {
  return new ApiError("invalid_parameters", { param, message: `${param}: ${message}` });
}
