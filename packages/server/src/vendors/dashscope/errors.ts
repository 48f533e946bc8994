import type { Fault, Verdict } from "../read-refusal.ts";

/** DashScope's codes, first match wins; one list serves refused calls and failed jobs. */
const verdictOfCode: readonly (readonly [RegExp, Verdict])[] = [
  [/^IPInfringementSuspect/, "copyright_blocked"],
  [
    /^(InvalidParameter\.DataInspection|InvalidURL|BadRequest\.InputDownloadFailed)/,
    "input_unreachable",
  ],
  [/^(Invalid(Image|File|Video)|BadRequest\.UnsupportedFileFormat)/, "input_unusable"],
  [/^(InvalidApiKey|AuthenticationError|ModelNot|WorkSpaceNotFound)/, "vendor_unavailable"],
  [/^(\w+\.)?AccessDenied/, "vendor_unavailable"],
  [/^(Arrearage|\w+BillOverdue|CommodityNotPurchased)/, "vendor_unavailable"],
  [/^(Throttling\.)?AllocationQuota/, "vendor_unavailable"],
  [/^(Throttling|LimitRequests)/, "throttled"],
  [/^InternalError/, "vendor_failed"],
];

/** Returns the verdict of a fault. The message decides where one code has several meanings. */
export function verdictOf({ code, message }: Fault): Verdict | undefined {
  if (/^DataInspectionFailed/.test(code))
    return /\boutput\b/i.test(message) && !/\binput\b/i.test(message)
      ? "output_blocked"
      : "input_blocked";
  if (/overdue-payment/.test(message)) return "vendor_unavailable";
  if (/unable to download the media resource/i.test(message)) return "input_unreachable";
  return (
    verdictOfCode.find(([pattern]) => pattern.test(code))?.[1] ??
    (/^(InvalidParameter|BadRequest)/.test(code) ? "vendor_refused" : undefined)
  );
}
