/** An error of the OpenAPI, in `ResponseMetadata.Error`. */
export class AssetsError extends Error {
  readonly code: string;
  readonly httpStatus: number;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
    this.httpStatus = httpStatusOf(code);
  }
}

const httpStatuses: readonly (readonly [RegExp, number])[] = [
  [
    /^(SignatureDoesNotMatch|Invalid(AccessKey|Timestamp|Authorization|Credential|SecretToken))/,
    401,
  ],
  [/^(AccessDenied|SubscriptionRequired)/, 403],
  [/^(NotFound|InvalidActionOrVersion)/, 404],
  [/^FlowLimitExceeded/, 429],
  [/^Internal/, 500],
  [/^ServiceUnavailable/, 503],
];

function httpStatusOf(code: string): number {
  return httpStatuses.find(([pattern]) => pattern.test(code))?.[1] ?? 400;
}

export function invalidParameter(message: string): AssetsError {
  return new AssetsError("InvalidParameter", message);
}

export function notFound(what: "group" | "asset", id: string): AssetsError {
  return new AssetsError("NotFound", `The ${what} ${id.slice(0, 100)} does not exist.`);
}
