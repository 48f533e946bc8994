export interface AdmissionLimits {
  /** Fewer than this wait for no more than one transaction: there is no overload. */
  shallowMax: number;
  /** The maximum number of waiting requests in a queue that was shallow within the last `burstMs`. */
  burstMax: number;
  burstMs: number;
  /** The maximum number of waiting requests in a standing queue. */
  standingMax: number;
  /** The maximum for an account that was not admitted within the current `windowMs`. */
  newcomerMax: number;
  windowMs: number;
}

/** Decides at once whether one more may join a queue, so that what is refused is refused early. */
export interface Admission {
  isAdmitted(accountId: string): boolean;
}

/**
 * Admits bursts but not a standing queue, which only makes everybody wait longer. The number of waiting
 * requests is bounded, but not so tightly that the queue could run dry. The last ones are for accounts
 * that were not admitted recently, so that busy accounts do not keep out the others.
 */
export function createAdmission(
  limits: AdmissionLimits,
  countWaiting: () => number,
  now: () => number = () => performance.now(),
): Admission {
  const recent = new Set<string>();
  let windowStartedAt = now();
  let shallowAt = now();

  function limitFor(accountId: string, at: number): number {
    if (at - windowStartedAt >= limits.windowMs) {
      recent.clear();
      windowStartedAt = at;
    }
    if (at - shallowAt <= limits.burstMs) return limits.burstMax;
    return recent.has(accountId) ? limits.standingMax : limits.newcomerMax;
  }

  return {
    isAdmitted(accountId) {
      const at = now();
      const waiting = countWaiting();
      if (waiting < limits.shallowMax) shallowAt = at;
      if (waiting >= limitFor(accountId, at)) return false;
      recent.add(accountId);
      return true;
    },
  };
}
