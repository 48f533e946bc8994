const accountsMax = 10_000;

interface Pace {
  /** So many come as fast as they can. */
  burstBytes: number;
  bytesPerSecondMax: number;
}

/** How fast the files of each account come, all of them together, in this process. */
export interface Paces {
  /** Counts bytes that came, and says how long to wait before more are read. */
  of(accountId: string): (bytes: number) => number;
}

export function createPaces({ burstBytes, bytesPerSecondMax }: Pace): Paces {
  /** When all that came would be there at that rate. */
  const evenAt = new Map<string, number>();
  const burstMs = (burstBytes / bytesPerSecondMax) * 1_000;
  return {
    of: (accountId) => (bytes) => {
      const now = performance.now();
      const from = Math.max(evenAt.get(accountId) ?? 0, now - burstMs);
      const even = from + (bytes / bytesPerSecondMax) * 1_000;
      evenAt.delete(accountId); // so that the one longest at rest stays the first
      evenAt.set(accountId, even);
      if (evenAt.size > accountsMax) evenAt.delete(evenAt.keys().next().value ?? "");
      return Math.max(0, even - now);
    },
  };
}
