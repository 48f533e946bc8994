import type { Config } from "../settings/config.ts";
import type { VendorAccount } from "../vendors/vendor.ts";

/** The maximum time for work that can be repeated elsewhere to end. */
export const repeatableMsMax = 25_000;
/** Storing an output that came with the response is part of the submit. */
const storeMsMax = 60_000;

/**
 * Returns the time that a stopping worker may take: as long as its longest direct submit, including
 * storing.
 */
export function drainMsMaxOf(
  worker: Pick<Config["worker"], "drainMsMax">,
  vendors: ReadonlyMap<string, VendorAccount>,
): number {
  const direct = [...vendors.values()].flatMap(({ vendor }) =>
    vendor.jobs === null ? [vendor.submitMsMax + storeMsMax] : [],
  );
  return Math.min(worker.drainMsMax, Math.max(repeatableMsMax, ...direct));
}
