import { createSemaphore } from "../flow/semaphore.ts";
import type { Log } from "../log.ts";

/** Ends jobs at vendors that nobody waits for any more. Best effort: a vendor that hangs delays nobody. */
export interface Cancels {
  /** Never throws and never waits. */
  send(vendorAccount: string, jobId: string, cancel: () => Promise<void>): void;
}

/** Calls of one vendor account at once, and those that wait for one of them to end. */
const boundsUsual = { permitsPerOwnerMax: 8, waitingPerOwnerMax: 1_000 };

export function createCancels(log: Log, bounds = boundsUsual): Cancels {
  const calls = createSemaphore({ ...bounds, refuse: () => new Error("too many wait") });
  return {
    send(vendorAccount, jobId, cancel) {
      calls
        .use({ owner: vendorAccount }, async () => cancel())
        .catch((error) =>
          log.warn({
            event: "vendor.cancel.failed",
            vendorAccount,
            jobId,
            reason: String(error),
          }),
        );
    },
  };
}
