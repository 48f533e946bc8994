import type { Log } from "../log.ts";

/** Ends jobs at vendors that nobody waits for any more. Best effort: a vendor that hangs delays nobody. */
export interface Cancels {
  /** Never throws and never waits. */
  send(vendorAccount: string, jobId: string, cancel: () => Promise<void>): void;
}

/** Of one vendor account: calls at once, and those that wait for one of them to end. */
const boundsUsual = { atOnceMax: 8, waitingMax: 1_000 };

export function createCancels(log: Log, { atOnceMax, waitingMax } = boundsUsual): Cancels {
  const vendors = new Map<string, { underWay: number; waiting: (() => Promise<void>)[] }>();

  async function work(vendorAccount: string): Promise<void> {
    const vendor = vendors.get(vendorAccount);
    if (vendor === undefined) return;
    vendor.underWay += 1;
    for (let next = vendor.waiting.shift(); next; next = vendor.waiting.shift()) await next();
    vendor.underWay -= 1;
    if (vendor.underWay === 0) vendors.delete(vendorAccount);
  }

  return {
    send(vendorAccount, jobId, cancel) {
      const vendor = vendors.get(vendorAccount) ?? { underWay: 0, waiting: [] };
      vendors.set(vendorAccount, vendor);
      const line = { vendorAccount, jobId };
      if (vendor.waiting.length >= waitingMax)
        return log.warn({ event: "vendor.cancel.dropped", ...line });
      vendor.waiting.push(async () => {
        try {
          await cancel();
        } catch (error) {
          log.warn({ event: "vendor.cancel.failed", ...line, reason: String(error) });
        }
      });
      if (vendor.underWay < atOnceMax) void work(vendorAccount);
    },
  };
}
