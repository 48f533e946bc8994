/** Bounded concurrency in one process, shared fairly between accounts. */
export interface Semaphore {
  /**
   * Runs `work` when it is this account's turn and there is room. Throws `NoPlaceFree` if the signal
   * is aborted before that; work that has started is not interrupted.
   */
  use<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result>;
  /** The same for work that ends elsewhere: returns the function that gives the place back. */
  take(turn: Turn): Promise<() => void>;
}

interface Turn {
  accountId: string;
  /** How much of `bytesMax` it needs. */
  bytes?: number;
  signal?: AbortSignal;
  /** Like a signal that is aborted so long after it began to wait. */
  waitMsMax?: number;
}

interface Bounds {
  placesMax: number;
  /** Left out: all but one. Work that never ends holds up its own account and nobody else. */
  placesPerAccountMax?: number;
  /** How many of the places only an account that has none gets. */
  sparePlaces?: number;
  /** An account with more than one place holds at most half of it; work that is larger runs alone. */
  bytesMax?: number;
}

interface Waiter {
  accountId: string;
  bytes: number;
  /** How many started before it since it was at the front of its account's line. */
  passedBy: number;
  start(): void;
}

/** No place became free in the time that the caller could wait. */
export class NoPlaceFree extends Error {
  constructor() {
    super("no place became free in time");
  }
}

/**
 * Accounts take turns; within an account the order is that of arrival. Work that does not fit into the
 * bytes left lets smaller work of other accounts pass, but not without end: then all wait for it.
 */
export function createSemaphore({
  placesMax,
  placesPerAccountMax = Math.max(1, placesMax - 1),
  sparePlaces = 0,
  bytesMax = Number.POSITIVE_INFINITY,
}: Bounds): Semaphore {
  const passedByMax = 2 * placesMax;
  const lines = createLines();
  const held = new Map<string, { places: number; bytes: number }>();
  let places = 0;
  let bytesInUse = 0;

  function isWithinShare({ accountId, bytes }: Waiter): boolean {
    const own = held.get(accountId);
    if (own === undefined) return true;
    if (places >= placesMax - sparePlaces) return false;
    return own.places < placesPerAccountMax && own.bytes + bytes <= bytesMax / 2;
  }

  function pick(): Waiter | undefined {
    if (places >= placesMax) return undefined;
    const tooLarge: Waiter[] = [];
    for (const first of lines.firsts()) {
      if (!isWithinShare(first)) continue;
      if (places === 0 || bytesInUse + first.bytes <= bytesMax) {
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
      const own = held.get(accountId) ?? { places: 0, bytes: 0 };
      held.set(accountId, { places: own.places + 1, bytes: own.bytes + bytes });
      places += 1;
      bytesInUse += bytes;
      next.start();
    }
  }

  function enter(turn: Turn): Promise<void> {
    const { accountId, bytes = 0 } = turn;
    return waitFor(turn, (start) => {
      const waiter: Waiter = { accountId, bytes, passedBy: 0, start };
      lines.add(waiter);
      startAll();
      return () => {
        lines.remove(waiter);
        startAll(); // it may have held up smaller work
      };
    });
  }

  function leave({ accountId, bytes = 0 }: Turn): void {
    const own = held.get(accountId);
    if (own === undefined || own.places === 1) held.delete(accountId);
    else held.set(accountId, { places: own.places - 1, bytes: own.bytes - bytes });
    places -= 1;
    bytesInUse -= bytes;
    startAll();
  }

  async function take(turn: Turn): Promise<() => void> {
    await enter(turn);
    let isInside = true;
    return () => {
      if (isInside) leave(turn);
      isInside = false;
    };
  }

  return {
    take,
    async use(turn, work) {
      const giveBack = await take(turn);
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
  };
}

/** Until `start` is called, or the turn is over: then what `lineUp` returned is called. */
function waitFor({ signal, waitMsMax }: Turn, lineUp: (start: () => void) => () => void) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  if (signal?.aborted) return Promise.reject(new NoPlaceFree());
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
    reject(new NoPlaceFree());
  };
  signal?.addEventListener("abort", giveUp, { once: true });
  const stepBack = lineUp(() => {
    settle();
    resolve();
  });
  if (isWaiting && waitMsMax !== undefined) timer = setTimeout(giveUp, waitMsMax);
  return promise;
}

/** A line per account, and the order of the accounts: the one whose turn it is comes first. */
function createLines() {
  const lines = new Map<string, Waiter[]>();
  return {
    add(waiter: Waiter): void {
      lines.set(waiter.accountId, [...(lines.get(waiter.accountId) ?? []), waiter]);
    },
    remove(waiter: Waiter): void {
      const line = lines.get(waiter.accountId)?.filter((one) => one !== waiter) ?? [];
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
