import type { SubmitResult } from "../vendors/vendor.ts";

/** The number of failures in a row, over all processes, after which a vendor account is skipped for a while. */
export const failuresMax = 5;

/** Returns what a submit shows about the health of its account; `null`: the vendor was not called. */
export function healthOf(result: SubmitResult): "well" | "sick" | null {
  if (result.kind === "unavailable") return result.isOurs ? null : "sick";
  // Trouble with the account or the vendor itself; what is wrong with one task is not.
  if (result.kind === "refused") return result.code === "vendor_unavailable" ? "sick" : "well";
  return result.kind === "unknown" ? "sick" : "well";
}
