import { ApiError } from "../../errors.ts";
import { createSemaphore, type Semaphore } from "../../flow/semaphore.ts";

const usual = { permitsPerOwnerMax: 1, waitingPerOwnerMax: 200, waitMsMax: 2_000 };

/**
 * Bounds the concurrency of work whose caller is not yet known; its owners are addresses. Each address is
 * served one request at a time, or as many as given, so that a request from another address never waits for
 * more than these of each.
 */
export function shareByAddress(permitsMax: number, changes: Partial<typeof usual> = {}): Semaphore {
  return createSemaphore({
    permitsMax,
    ...usual,
    ...changes,
    refuse: () => new ApiError("service_unavailable", { retryAfterSeconds: 1 }),
  });
}
