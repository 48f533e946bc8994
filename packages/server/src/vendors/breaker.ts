import type { SubmitResult } from "./vendor.ts";

/** So many failures in a row, over all processes, and a vendor account is skipped for a while. */
export const failuresMax = 5;

/** What a submit says about the health of its account; `null`: the vendor was not asked. */
export function healthOf(result: SubmitResult): "well" | "sick" | null {
  if (result.kind === "unavailable") return result.isOurs ? null : "sick";
  // Trouble with the account or the vendor itself; what is wrong with one task is not.
  if (result.kind === "refused") return result.code === "vendor_unavailable" ? "sick" : "well";
  return result.kind === "unknown" ? "sick" : "well";
}
