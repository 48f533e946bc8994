import { takeOldest } from "../flow/take-oldest.ts";

interface BatchOptions<Id, State> {
  /** Minimum time between the starts of two batches. */
  everyMs: number;
  /** Pause after a failed batch. */
  pauseMs: number;
  idsMax: number;
  read(ids: Id[]): Promise<Map<Id, State>>;
  deliver(id: Id, state: State | undefined, batch: number): void;
  fail(ids: Id[], error: unknown, batch: number): void;
}

/**
 * Reads due ids in batches, one query at a time. An id that becomes due while a query runs is read by
 * the next one: the running query may have seen the state before the change.
 */
export function createBatches<Id, State>(options: BatchOptions<Id, State>) {
  const { everyMs, pauseMs, idsMax, read, deliver, fail } = options;
  const due = new Set<Id>();
  let batch = 0;
  let isReading = false;
  let timer: NodeJS.Timeout | null = null;
  let notBefore = 0;

  function schedule(): void {
    if (isReading || timer !== null || due.size === 0) return;
    timer = setTimeout(take, Math.max(0, notBefore - performance.now()));
  }

  async function take(): Promise<void> {
    timer = null;
    const ids = takeOldest(due, idsMax);
    if (ids.length === 0) return;
    batch += 1;
    isReading = true;
    notBefore = performance.now() + everyMs;
    try {
      const states = await read(ids);
      for (const id of ids) deliver(id, states.get(id), batch);
    } catch (error) {
      notBefore = performance.now() + pauseMs;
      fail(ids, error, batch);
    }
    isReading = false;
    schedule();
  }

  return {
    /** Returns the earliest batch that reads the id. */
    add(id: Id): number {
      due.add(id);
      schedule();
      return batch + 1;
    },
    remove(id: Id): void {
      due.delete(id);
    },
    /** A later batch reads it. */
    has: (id: Id): boolean => due.has(id),
  };
}
