/** Bounded concurrency in one process, shared fairly between accounts. */
export interface Semaphore {
  /**
   * Runs `work` when the account gets a permit. Throws `NoPermitFree` if the signal is aborted before
   * that; work that has started is not interrupted.
   */
  use<Result>(entry: Entry, work: () => Promise<Result>): Promise<Result>;
  /** The same for work that ends elsewhere: returns the function that releases the permit. */
  take(entry: Entry): Promise<() => void>;
}

interface Entry {
  /** Whose turn it is: an account, a person or an address. */
  accountId: string;
  /** How much of `bytesMax` it needs. */
  bytes?: number;
  signal?: AbortSignal;
  /** Like a signal that is aborted after waiting this long. */
  waitMsMax?: number;
}

interface Bounds {
  permitsMax: number;
  /** Omitted: all but one. Work that never ends delays only its own account. */
  permitsPerAccountMax?: number;
  /** Permits reserved for accounts that hold none. */
  sparePermits?: number;
  /** An account with more than one permit holds at most half of it; larger work runs alone. */
  bytesMax?: number;
}

interface Waiter {
  accountId: string;
  bytes: number;
  /** How many others started since it reached the front of its account's queue. */
  passedBy: number;
  start(): void;
}

/** No permit became free in time. */
export class NoPermitFree extends Error {
  constructor() {
    super("no permit became free in time");
  }
}

/**
 * Round-robin between accounts, first come first served within an account. Work that does not fit into
 * the remaining bytes lets smaller work of other accounts pass, a bounded number of times; then all
 * wait for it.
 */
export function createSemaphore({
  permitsMax,
  permitsPerAccountMax = Math.max(1, permitsMax - 1),
  sparePermits = 0,
  bytesMax = Number.POSITIVE_INFINITY,
}: Bounds): Semaphore {
  const passedByMax = 2 * permitsMax;
  const lines = createLines();
  const held = new Map<string, { permits: number; bytes: number }>();
  let permits = 0;
  let bytesInUse = 0;

  function isWithinShare({ accountId, bytes }: Waiter): boolean {
    const own = held.get(accountId);
    if (own === undefined) return true;
    if (permits >= permitsMax - sparePermits) return false;
    return own.permits < permitsPerAccountMax && own.bytes + bytes <= bytesMax / 2;
  }

  function pick(): Waiter | undefined {
    if (permits >= permitsMax) return undefined;
    const tooLarge: Waiter[] = [];
    for (const first of lines.firsts()) {
      if (!isWithinShare(first)) continue;
      if (permits === 0 || bytesInUse + first.bytes <= bytesMax) {
        for (const waiter of tooLarge) waiter.passedBy += 1;
        return first;
      }
      if (first.passedBy >= passedByMax) return undefined;
      tooLarge.push(first);
    }
    return undefined;
  }

  function startAll(): void {
    for (let next = pick(); next !== undefined; next = pick()) {
      const { accountId, bytes } = next;
      lines.remove(next);
      lines.moveBack(accountId);
      const own = held.get(accountId) ?? { permits: 0, bytes: 0 };
      held.set(accountId, { permits: own.permits + 1, bytes: own.bytes + bytes });
      permits += 1;
      bytesInUse += bytes;
      next.start();
    }
  }

  function enter(entry: Entry): Promise<void> {
    const { accountId, bytes = 0 } = entry;
    return waitFor(entry, (start) => {
      const waiter: Waiter = { accountId, bytes, passedBy: 0, start };
      lines.add(waiter);
      startAll();
      return () => {
        lines.remove(waiter);
        startAll(); // it may have blocked smaller work
      };
    });
  }

  function leave({ accountId, bytes = 0 }: Entry): void {
    const own = held.get(accountId);
    if (own === undefined || own.permits === 1) held.delete(accountId);
    else held.set(accountId, { permits: own.permits - 1, bytes: own.bytes - bytes });
    permits -= 1;
    bytesInUse -= bytes;
    startAll();
  }

  async function take(entry: Entry): Promise<() => void> {
    await enter(entry);
    let isInside = true;
    return () => {
      if (isInside) leave(entry);
      isInside = false;
    };
  }

  return {
    take,
    async use(entry, work) {
      const giveBack = await take(entry);
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
  };
}

/** Waits until `start` is called; on abort or time-out the function that `lineUp` returned is called. */
function waitFor({ signal, waitMsMax }: Entry, lineUp: (start: () => void) => () => void) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  if (signal?.aborted) return Promise.reject(new NoPermitFree());
  let timer: NodeJS.Timeout | undefined;
  let isWaiting = true;
  const settle = () => {
    isWaiting = false;
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  };
  const giveUp = () => {
    settle();
    stepBack();
    reject(new NoPermitFree());
  };
  signal?.addEventListener("abort", giveUp, { once: true });
  const stepBack = lineUp(() => {
    settle();
    resolve();
  });
  if (isWaiting && waitMsMax !== undefined) timer = setTimeout(giveUp, waitMsMax);
  return promise;
}

/** A queue per account, and the accounts in round-robin order. */
function createLines() {
  const lines = new Map<string, Waiter[]>();
  return {
    add(waiter: Waiter): void {
      lines.set(waiter.accountId, [...(lines.get(waiter.accountId) ?? []), waiter]);
    },
    remove(waiter: Waiter): void {
      const line = lines.get(waiter.accountId)?.filter((one) => one !== waiter);
      if (line === undefined) return;
      if (line.length === 0) lines.delete(waiter.accountId);
      else lines.set(waiter.accountId, line);
    },
    moveBack(accountId: string): void {
      const line = lines.get(accountId);
      if (line === undefined) return;
      lines.delete(accountId);
      lines.set(accountId, line);
    },
    *firsts(): Generator<Waiter> {
      for (const [first] of lines.values()) if (first !== undefined) yield first;
    },
  };
}
