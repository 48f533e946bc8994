import { NoPermitFree } from "../errors.ts";

/** Bounded concurrency in one process, shared fairly between owners. */
export interface Semaphore {
  /**
   * Runs `work` when the owner gets a permit. Throws the error of `refuse` if it gets none in time; work that
   * has started is not interrupted.
   */
  use<Result>(entry: Entry, work: () => Promise<Result>): Promise<Result>;
  /** Takes a permit for work that ends elsewhere. Returns the function that releases it. */
  take(entry: Entry): Promise<() => void>;
}

interface Entry {
  /** The owner of the work: an account, a person, a network, or a name for shared work. */
  owner: string;
  /** The part of `bytesMax` that it needs. */
  bytes?: number;
  /** Aborted: it waits no longer. */
  signal?: AbortSignal;
  /** Instead of those of the semaphore. */
  waitMsMax?: number;
  waitingPerOwnerMax?: number;
}

interface Settings {
  /** Omitted: bounded for each owner alone. */
  permitsMax?: number;
  /** Omitted: all but one. Work that never ends delays only its own owner. */
  permitsPerOwnerMax?: number;
  /** Permits reserved for owners that hold none. */
  sparePermits?: number;
  /** The owner whose work starts before that of all others, and may take the spare permits. */
  firstOwner?: string;
  /** An owner with more than one permit holds at most half of it; larger work runs alone. */
  bytesMax?: number;
  /** The maximum number of waiting entries; more are refused at once. Omitted: any number. */
  waitingMax?: number;
  waitingPerOwnerMax?: number;
  /** Omitted: without end. */
  waitMsMax?: number;
  /** The error of who gets no permit: too many wait, or the wait was too long. Omitted: `NoPermitFree`. */
  refuse?(why: "full" | "slow"): Error;
}

interface Waiter {
  owner: string;
  bytes: number;
  /** The number of others that started since it reached the front of its owner's line. */
  passedBy: number;
  start(): void;
}

/**
 * Round-robin between owners, first come first served within an owner. Work that does not fit into the
 * remaining bytes lets smaller work of other owners pass, a bounded number of times; then all wait for it.
 */
export function createSemaphore(settings: Settings): Semaphore {
  const {
    permitsMax = Number.POSITIVE_INFINITY,
    permitsPerOwnerMax = Math.max(1, permitsMax - 1),
    sparePermits = 0,
    firstOwner,
    bytesMax = Number.POSITIVE_INFINITY,
    waitingMax = Number.POSITIVE_INFINITY,
    refuse = () => new NoPermitFree(),
  } = settings;
  const passedByMax = 2 * permitsMax;
  const lines = createLines(firstOwner);
  const held = new Map<string, { permits: number; bytes: number }>();
  let permits = 0;
  let bytesInUse = 0;

  /** Whether the owner has its share, until it releases a permit. */
  function hasItsShare({ owner, bytes }: Waiter): boolean {
    const usage = held.get(owner);
    if (usage === undefined) return false;
    return usage.permits >= permitsPerOwnerMax || usage.bytes + bytes > bytesMax / 2;
  }

  function isSpareOnly({ owner }: Waiter): boolean {
    return permits >= permitsMax - sparePermits && owner !== firstOwner && held.has(owner);
  }

  function pick(): Waiter | undefined {
    if (permits >= permitsMax) return undefined;
    const tooLarge: Waiter[] = [];
    for (const first of lines.firsts()) {
      if (hasItsShare(first)) {
        lines.setAside(first.owner);
        continue;
      }
      if (isSpareOnly(first)) continue;
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
      const { owner, bytes } = next;
      lines.remove(next);
      lines.moveBack(owner);
      const usage = held.get(owner) ?? { permits: 0, bytes: 0 };
      held.set(owner, { permits: usage.permits + 1, bytes: usage.bytes + bytes });
      permits += 1;
      bytesInUse += bytes;
      next.start();
    }
  }

  function enter(entry: Entry): Promise<void> {
    const { owner, bytes = 0 } = entry;
    const limits = { ...settings, ...entry };
    return waitFor(limits, refuse, (start) => {
      const waiter: Waiter = { owner, bytes, passedBy: 0, start };
      lines.add(waiter);
      startAll();
      const { waitingPerOwnerMax = Number.POSITIVE_INFINITY } = limits;
      return {
        isFull: lines.count() > waitingMax || lines.countOf(owner) > waitingPerOwnerMax,
        leave() {
          lines.remove(waiter);
          lines.takeUp(owner); // the next one of this owner may be smaller
          startAll(); // it may have blocked smaller work
        },
      };
    });
  }

  function leave({ owner, bytes = 0 }: Entry): void {
    const usage = held.get(owner);
    if (usage === undefined || usage.permits === 1) held.delete(owner);
    else held.set(owner, { permits: usage.permits - 1, bytes: usage.bytes - bytes });
    permits -= 1;
    bytesInUse -= bytes;
    lines.takeUp(owner);
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
      const release = await take(entry);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

interface InLine {
  /** More wait than may. */
  isFull: boolean;
  leave(): void;
}

/** Waits until `start` is called. If the line is full, on abort and on time-out it leaves the line and throws. */
function waitFor(
  { signal, waitMsMax }: Pick<Entry, "signal" | "waitMsMax">,
  refuse: (why: "full" | "slow") => Error,
  lineUp: (start: () => void) => InLine,
): Promise<void> {
  if (signal?.aborted) return Promise.reject(refuse("slow"));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  let isWaiting = true;
  const settle = () => {
    isWaiting = false;
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  };
  const giveUp = (why?: unknown) => {
    settle();
    inLine.leave();
    reject(refuse(why === "full" ? "full" : "slow"));
  };
  const inLine = lineUp(() => {
    settle();
    resolve();
  });
  if (isWaiting && inLine.isFull) giveUp("full");
  if (isWaiting) signal?.addEventListener("abort", giveUp, { once: true });
  if (isWaiting && waitMsMax !== undefined) timer = setTimeout(giveUp, waitMsMax);
  return promise;
}

/**
 * A line for each owner, and the owners in round-robin order after the first. Lines that are set aside are
 * not looked at, so that owners at their limit cost nothing, however many they are.
 */
function createLines(firstOwner: string | undefined) {
  const ready = new Map<string, Set<Waiter>>();
  const aside = new Map<string, Set<Waiter>>();
  let waiting = 0;
  return {
    count: () => waiting,
    countOf: (owner: string) => (ready.get(owner) ?? aside.get(owner))?.size ?? 0,
    add(waiter: Waiter): void {
      const line = ready.get(waiter.owner) ?? aside.get(waiter.owner);
      if (line === undefined) ready.set(waiter.owner, new Set([waiter]));
      else line.add(waiter);
      waiting += 1;
    },
    remove(waiter: Waiter): void {
      for (const lines of [ready, aside]) {
        const line = lines.get(waiter.owner);
        if (line?.delete(waiter)) waiting -= 1;
        if (line?.size === 0) lines.delete(waiter.owner);
      }
    },
    moveBack(owner: string): void {
      const line = ready.get(owner);
      if (line === undefined) return;
      ready.delete(owner);
      ready.set(owner, line);
    },
    setAside(owner: string): void {
      const line = ready.get(owner);
      if (line === undefined) return;
      ready.delete(owner);
      aside.set(owner, line);
    },
    takeUp(owner: string): void {
      const line = aside.get(owner);
      if (line === undefined) return;
      aside.delete(owner);
      ready.set(owner, line);
    },
    *firsts(): Generator<Waiter> {
      const [ofFirst] = (firstOwner === undefined ? undefined : ready.get(firstOwner)) ?? [];
      if (ofFirst !== undefined) yield ofFirst;
      for (const [first] of ready.values())
        if (first !== undefined && first !== ofFirst) yield first;
    },
  };
}
