import { takeOldest } from "../../flow/take-oldest.ts";
import type { AccountId } from "../../ids.ts";

const accountsMax = 10_000;

interface Pace {
  /** Bytes without a rate limit. */
  burstBytes: number;
  bytesPerSecondMax: number;
}

/** Limits the download rate per account in this process. */
export interface Paces {
  /** Counts received bytes and returns how long to pause. */
  of(accountId: AccountId): (bytes: number) => number;
}

export function createPaces({ burstBytes, bytesPerSecondMax }: Pace): Paces {
  /** The time at which the received bytes would have arrived at the maximum rate. */
  const evenAt = new Map<AccountId, number>();
  const burstMs = (burstBytes / bytesPerSecondMax) * 1_000;
  return {
    of: (accountId) => (bytes) => {
      const now = performance.now();
      const from = Math.max(evenAt.get(accountId) ?? 0, now - burstMs);
      const even = from + (bytes / bytesPerSecondMax) * 1_000;
      evenAt.delete(accountId); // keeps the least recently used first
      evenAt.set(accountId, even);
      if (evenAt.size > accountsMax) takeOldest(evenAt, 1);
      return Math.max(0, even - now);
    },
  };
}
