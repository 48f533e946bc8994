/** A limit of calls in any stretch of a given length, not only from one full second or minute to the next. */
export interface RateLimit {
  /** Counts a call and returns 0, or refuses it and returns how long to wait, in milliseconds. */
  take(): number;
}

/** `clock` counts milliseconds and never goes back. */
export function createRateLimit(
  callsMax: number,
  perMs: number,
  clock: () => number = () => performance.now(),
): RateLimit {
  /** The times of the latest calls, as a ring: its `next` place holds the oldest. */
  const times: number[] = [];
  let next = 0;
  return {
    take() {
      const now = clock();
      const oldest = times[next];
      if (oldest !== undefined && now - oldest < perMs) return oldest + perMs - now;
      times[next] = now;
      next = (next + 1) % callsMax;
      return 0;
    },
  };
}

/** Returns the value of the header `Retry-After`, in whole seconds. */
export function retryAfter(waitMs: number): string {
  return String(Math.max(1, Math.ceil(waitMs / 1_000)));
}
