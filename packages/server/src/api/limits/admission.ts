export interface AdmissionLimits {
  /** Fewer than this wait for no more than one transaction: there is no overload. */
  shallowMax: number;
  /** How many may wait in a queue that was shallow within the last `burstMs`. */
  burstMax: number;
  burstMs: number;
  /** How many may wait in one that was not: it stands. */
  standingMax: number;
  /** The same for an account that has had no turn in this `turnMs`. */
  turnMax: number;
  turnMs: number;
}

/** Decides at once whether one more may join a queue, so that what is refused is refused early. */
export interface Admission {
  isAdmitted(accountId: string): boolean;
}

/**
 * A burst passes, a standing queue does not: it gives nobody anything but a longer wait. What waits is
 * bounded, but not so tightly that the queue could run dry. The last places are for accounts that have had
 * no turn, so that those who ask often do not keep out those who ask seldom.
 */
export function createAdmission(
  limits: AdmissionLimits,
  countWaiting: () => number,
  now: () => number = () => performance.now(),
): Admission {
  const hadTurn = new Set<string>();
  let turnsBeganAt = now();
  let shallowAt = now();

  function limitFor(accountId: string, at: number): number {
    if (at - turnsBeganAt >= limits.turnMs) {
      hadTurn.clear();
      turnsBeganAt = at;
    }
    if (at - shallowAt <= limits.burstMs) return limits.burstMax;
    return hadTurn.has(accountId) ? limits.standingMax : limits.turnMax;
  }

  return {
    isAdmitted(accountId) {
      const at = now();
      const waiting = countWaiting();
      if (waiting < limits.shallowMax) shallowAt = at;
      if (waiting >= limitFor(accountId, at)) return false;
      hadTurn.add(accountId);
      return true;
    },
  };
}
