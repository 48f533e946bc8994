import type { SubmitResult } from "./vendor.ts";

const failuresMax = 5; // in a row

/** Knows which vendor accounts are sick, from what this process has seen of them. */
export interface Breaker {
  /** Whether to pass this account by. Once in a while somebody is let through, to see how it is. */
  isOpen(account: string): boolean;
  note(account: string, result: SubmitResult): void;
  /** Whether it is sick, for who only watches: lets nobody through. */
  isSick(account: string): boolean;
}

export function createBreaker(
  openMs: number,
  now: () => number = () => performance.now(),
): Breaker {
  const sick = new Map<string, { failures: number; triedAt: number }>();
  return {
    isOpen(account) {
      const state = sick.get(account);
      if (state === undefined || state.failures < failuresMax) return false;
      if (now() - state.triedAt < openMs) return true;
      state.triedAt = now(); // whoever asks now is the one that is let through
      return false;
    },
    isSick: (account) => (sick.get(account)?.failures ?? 0) >= failuresMax,
    note(account, result) {
      if (result.kind === "unavailable" && result.isOurs) return; // the vendor was not asked
      if (!isTrouble(result)) return void sick.delete(account);
      const failures = (sick.get(account)?.failures ?? 0) + 1;
      sick.set(account, { failures, triedAt: now() });
    },
  };
}

/** Trouble with the account or the vendor itself; what is wrong with one task is not. */
function isTrouble(result: SubmitResult): boolean {
  if (result.kind === "refused") return result.code === "vendor_unavailable";
  return result.kind === "unavailable" || result.kind === "unknown";
}
