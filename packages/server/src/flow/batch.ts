import { DatabaseError } from "pg";
import type { Connections } from "../db/connections.ts";
import { isUnavailable } from "../db/database.ts";
import type { BatchFunctions } from "../db/sql-functions.ts";
import { createSemaphore } from "./semaphore.ts";

/** The result of an item whose rows somebody else has locked: nothing was done. */
export const busy = Symbol("busy");

/** The time that a batch waits for locks of others: 50 ms, not at all, or as long as any statement. */
export type Wait = "brief" | "skip" | "long";

interface BatchOptions<Item, Result> {
  /** 100 unless given. */
  rowsMax?: number;
  /** Returns the size of an item in bytes. An item larger than the maximum of a batch is a separate batch. */
  sizeOf?(item: Item): number;
  /** The number of waiting items at which a second batch runs beside the first. Default: one runs at a time. */
  crowd?: number;
  /** Returns the account or task whose lock an item may have to wait for. */
  keyOf(item: Item): string;
  /** Everything in one transaction, with a result for each item in their order, or none of it. */
  run(items: readonly Item[], wait: Wait): Promise<readonly (Result | typeof busy)[]>;
}

interface Batch<Item, Result> {
  (item: Item): Promise<Result>;
  /** Items that no batch has taken yet. Those that wait for a lock are not among them. */
  waiting(): number;
}

interface Entry<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

const rowsMaxUsual = 100;
const sizeBytesMax = 256 * 1024;
/** A batch that takes longer, on a connection that is lost or a server that stalls, holds up no other. */
const batchMsMax = 1_000;
const batchesAtOnceMax = 4;
/** The maximum number of parts of a failed batch. Each part is a transaction, and they run concurrently. */
const partsMax = 6;
/** Keys that are locked at once, each with a connection that waits. */
const lockedAtOnceMax = 4;

/**
 * Runs the items of concurrent callers in one transaction. The first caller's item is run at once; those
 * that arrive meanwhile are the next batch, so that no item waits for a batch to fill. No item blocks
 * another: a batch that fails is split until the item at fault is alone, and an item that waits for a lock
 * continues separately, with everything else of the same key. Batches behind wait for neither.
 */
export function createBatch<Item, Result>(
  options: BatchOptions<Item, Result>,
): Batch<Item, Result> {
  type Entries = Entry<Item, Result>[];
  const { rowsMax = rowsMaxUsual, sizeOf = () => 0, crowd = Infinity, keyOf, run } = options;
  const queue: Entries = [];
  const locked = new Map<string, Entries>();
  const permits = createSemaphore({ permitsMax: lockedAtOnceMax });
  const runNext = createRunner({
    atOnce: () => (queue.length >= crowd ? 2 : 1),
    start() {
      const entries = takeBatch(queue, rowsMax, sizeOf);
      return entries.length === 0 ? undefined : runBatch(entries);
    },
  });

  async function runBatch(entries: Entries): Promise<void> {
    const fault = await attempt(entries, "brief");
    if (fault !== undefined) void isolate(entries, fault.error, "brief");
  }

  /** Settles the entries, or says why it could not settle any. */
  async function attempt(entries: Entries, wait: Wait): Promise<{ error: unknown } | undefined> {
    try {
      const items = entries.map(({ item }) => item);
      const results = await run(items, wait);
      for (const [index, entry] of entries.entries()) {
        const result = results[index] as Result | typeof busy;
        if (result === busy) waitForLock(entry);
        else entry.resolve(result);
      }
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  async function isolate(entries: Entries, error: unknown, wait: Wait): Promise<void> {
    const isLock = isLockError(error) && wait === "brief";
    if (!isLock && (entries.length === 1 || isUnavailable(error)))
      for (const { reject } of entries) reject(error);
    else {
      const parts = isLock ? [entries] : split(entries);
      const next = isLock ? "skip" : wait;
      await Promise.all(
        parts.map(async (part) => {
          const fault = await attempt(part, next);
          if (fault !== undefined) await isolate(part, fault.error, next);
        }),
      );
    }
  }

  function waitForLock(entry: Entry<Item, Result>): void {
    const key = keyOf(entry.item);
    const others = locked.get(key);
    if (others !== undefined) return void others.push(entry);
    locked.set(key, [entry]);
    void runLocked(key);
  }

  async function runLocked(key: string): Promise<void> {
    const waiting = locked.get(key) ?? [];
    while (waiting.length > 0)
      await permits.use({ owner: key }, async () => {
        const entries = waiting.splice(0, rowsMax);
        const fault = await attempt(entries, "long");
        if (fault !== undefined) await isolate(entries, fault.error, "long");
      });
    locked.delete(key);
  }

  function add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const entry = { item, resolve, reject };
    const others = locked.get(keyOf(item)); // behind those, instead of waiting for the same lock again
    if (others !== undefined) others.push(entry);
    else {
      queue.push(entry);
      runNext();
    }
    return promise;
  }
  return Object.assign(add, { waiting: () => queue.length });
}

/** Into so many parts that the item at fault is alone after two rounds in a usual batch, three in a full one. */
function split<Each>(entries: Each[]): Each[][] {
  const size = Math.ceil(entries.length / partsMax);
  return Array.from({ length: Math.ceil(entries.length / size) }, (_, part) =>
    entries.slice(part * size, (part + 1) * size),
  );
}

/** Takes as many of the first entries as fit into a batch. */
function takeBatch<Item, Result>(
  queue: Entry<Item, Result>[],
  rowsMax: number,
  sizeOf: (item: Item) => number,
): Entry<Item, Result>[] {
  let sizeBytes = 0;
  const tooMany = queue.slice(0, rowsMax).findIndex(({ item }) => {
    sizeBytes += sizeOf(item);
    return sizeBytes > sizeBytesMax;
  });
  return queue.splice(0, tooMany < 0 ? rowsMax : Math.max(1, tooMany));
}

interface RunnerOptions {
  /** Returns the number of batches that may run now. */
  atOnce(): number;
  start(): Promise<void> | undefined;
}

/** One run after the other, as long as there is one; a late one no longer holds up the next. */
function createRunner({ atOnce, start }: RunnerOptions): () => void {
  let running = 0;
  let late = 0;
  return function runNext(): void {
    if (running - late >= atOnce() || running >= batchesAtOnceMax) return;
    const run = start();
    if (run === undefined) return;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      late += 1;
      runNext();
    }, batchMsMax);
    running += 1;
    void run.then(() => {
      clearTimeout(timer);
      running -= 1;
      if (isLate) late -= 1;
      runNext();
    });
  };
}

/** A lock that was not free in time, or a deadlock: others hold rows of this batch. */
function isLockError(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === "55P03" || error.code === "40P01");
}

/** Returns a function that creates one object for each pool or database, which all its callers share. */
export function sharedBy<Owner extends object, Shared>(
  create: (owner: Owner) => Shared,
): (owner: Owner) => Shared {
  const created = new WeakMap<Owner, Shared>();
  return (owner) => {
    const shared = created.get(owner) ?? create(owner);
    created.set(owner, shared);
    return shared;
  };
}

/**
 * Calls a function of `migrations/functions` that takes rows as JSON objects and how to wait for locks, and
 * returns a row for each, with its `place` and whether it is busy.
 */
export async function callBatch<
  Name extends keyof BatchFunctions,
  Row extends Partial<BatchFunctions[Name]["returns"]>,
>(
  pool: Connections,
  name: Name,
  rows: readonly string[],
  wait: Wait,
): Promise<(Row | typeof busy)[]> {
  const { rows: answers } = await pool.query<Row & { place: number; is_busy: boolean }>({
    name,
    text: `select * from ${name}(p_rows => $1, p_wait => $2)`,
    values: [`[${rows.map((row, index) => `{"place":${index},${row.slice(1)}`).join()}]`, wait],
  });
  const results: (Row | typeof busy)[] = [];
  for (const answer of answers) results[answer.place] = answer.is_busy ? busy : answer;
  return results;
}
