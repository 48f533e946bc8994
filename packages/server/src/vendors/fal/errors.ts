import type { Fault, Verdict } from "../read-refusal.ts";

/** fal's types, first match wins; one list serves refused submits and failed requests. */
const verdictOfType: readonly (readonly [RegExp, Verdict])[] = [
  [/^content_policy_violation$/, "input_blocked"],
  [/^file_download_error$/, "input_unreachable"],
  [
    /^(file_too_large|unsupported_video_format|video_duration_too_(long|short)|feature_not_supported)$/,
    "input_unusable",
  ],
  [/^concurrent_requests_limit$/, "throttled"],
  [/^(request_timeout|startup_timeout|runner_\w+|client_\w+|internal_error)$/, "vendor_failed"],
  [
    /^(internal_server_error|generation_timeout|downstream_service_\w+|no_media_generated)$/,
    "vendor_failed",
  ],
  [/^bad_request$/, "vendor_refused"],
];

export function verdictOf({ code }: Fault): Verdict | undefined {
  return verdictOfType.find(([pattern]) => pattern.test(code))?.[1];
}
