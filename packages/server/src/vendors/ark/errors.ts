import type { Fault, Verdict } from "../read-refusal.ts";

/** Ark's codes, first match wins; one list serves refused calls and failed jobs. */
const verdictOfCode: readonly (readonly [RegExp, Verdict])[] = [
  [/^Input(Image|Video)SensitiveContentDetected\.PrivacyInformation$/, "real_person_blocked"],
  [/SensitiveContentDetected\.PolicyViolation$/, "copyright_blocked"],
  [/^Output\w*(SensitiveContentDetected|RiskDetection)/, "output_blocked"],
  [/^Input\w*(SensitiveContentDetected|RiskDetection)/, "input_blocked"],
  [/^SensitiveContentDetected/, "input_blocked"],
  [/^ContentSecurityDetectionError/, "throttled"], // its moderation is down: nothing was judged
  [/^InvalidParameter\.TosURLInvalid/, "input_unreachable"],
  [/^InvalidImageURL/, "input_unusable"],
  [/^(MissingParameter|InvalidParameter)/, "vendor_refused"],
  [
    /^(AuthenticationError|InvalidAccountStatus|AccessDenied|OperationDenied)/,
    "vendor_unavailable",
  ],
  [/^(AccountOverdueError|InvalidEndpointOrModel|ModelNotOpen)/, "vendor_unavailable"],
  [/^(SetLimitExceeded|InflightBatchsizeExceeded)/, "vendor_unavailable"],
  [/^(ServerOverloaded|RequestBurstTooFast|\w*RateLimitExceeded)/, "throttled"],
  [/^InternalServiceError/, "vendor_failed"],
];

/** Returns the verdict of a fault. The message decides where one code has several meanings. */
export function verdictOf({ code, message }: Fault): Verdict | undefined {
  // of waiting jobs, which passes, or of what was paid for
  if (/^QuotaExceeded/.test(code))
    return /queue|排队/i.test(message) ? "throttled" : "vendor_unavailable";
  if (/^InvalidParameter$/.test(code) && /\bwhile downloading\b/i.test(message))
    return "input_unreachable";
  return verdictOfCode.find(([pattern]) => pattern.test(code))?.[1];
}
