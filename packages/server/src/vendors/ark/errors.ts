import type { FailureCode } from "../../errors.ts";

/** Ark's codes, first match wins; one list serves refused calls and failed jobs. */
const failureOfCode: readonly (readonly [RegExp, FailureCode])[] = [
  [/^Input(Image|Video)SensitiveContentDetected\.PrivacyInformation$/, "real_person_blocked"],
  [/SensitiveContentDetected\.PolicyViolation$/, "copyright_blocked"],
  [/^Output\w*SensitiveContentDetected/, "output_blocked"],
  [/^Input\w*(SensitiveContentDetected|RiskDetection)/, "input_blocked"],
  [/^SensitiveContentDetected/, "input_blocked"],
  [/^(MissingParameter|InvalidParameter|InvalidImageURL)/, "vendor_refused"],
  [
    /^(AuthenticationError|InvalidAccountStatus|AccessDenied|OperationDenied)/,
    "vendor_unavailable",
  ],
  [/^(AccountOverdueError|InvalidEndpointOrModel|ModelNotOpen)/, "vendor_unavailable"],
  [/^(SetLimitExceeded|InflightBatchsizeExceeded)/, "vendor_unavailable"],
];

export function failureOf(arkCode: string): FailureCode {
  return failureOfCode.find(([pattern]) => pattern.test(arkCode))?.[1] ?? "vendor_failed";
}
