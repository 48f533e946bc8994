import type { Config } from "../config.ts";
import type { VendorAccount } from "../vendors/vendor.ts";

/** What can be repeated elsewhere is given this long to end. */
export const repeatableMsMax = 25_000;
/** Storing a result that came with the answer belongs to the submit. */
const storeMsMax = 60_000;

/** How long a worker that is told to stop may take: as long as its longest direct submit, with storing. */
export function drainMsMaxOf(
  worker: Pick<Config["worker"], "drainMsMax">,
  vendors: ReadonlyMap<string, VendorAccount>,
): number {
  const direct = [...vendors.values()].flatMap(({ vendor }) =>
    vendor.jobs === null ? [vendor.submitMsMax + storeMsMax] : [],
  );
  return Math.min(worker.drainMsMax, Math.max(repeatableMsMax, ...direct));
}
