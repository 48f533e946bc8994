import { takeSome } from "../db/take-some.ts";

interface TurnOptions<State> {
  /** Between the beginnings of two turns. */
  everyMs: number;
  /** After a turn that failed. */
  pauseMs: number;
  idsMax: number;
  read(ids: string[]): Promise<Map<string, State>>;
  deliver(id: string, state: State | undefined, turn: number): void;
  fail(ids: string[], error: unknown, turn: number): void;
}

/**
 * Reads what is due, many ids in one query and one query at a time. What becomes due while a query
 * runs is left for the next one: the running one may have seen the time before.
 */
export function createBatches<State>(options: TurnOptions<State>) {
  const { everyMs, pauseMs, idsMax, read, deliver, fail } = options;
  const due = new Set<string>();
  let turn = 0;
  let isReading = false;
  let timer: NodeJS.Timeout | null = null;
  let notBefore = 0;

  function schedule(): void {
    if (isReading || timer !== null || due.size === 0) return;
    timer = setTimeout(take, Math.max(0, notBefore - performance.now()));
  }

  async function take(): Promise<void> {
    timer = null;
    const ids = takeSome(due, idsMax);
    if (ids.length === 0) return;
    turn += 1;
    isReading = true;
    notBefore = performance.now() + everyMs;
    try {
      const states = await read(ids);
      for (const id of ids) deliver(id, states.get(id), turn);
    } catch (error) {
      notBefore = performance.now() + pauseMs;
      fail(ids, error, turn);
    }
    isReading = false;
    schedule();
  }

  return {
    /** Says in which turn at the earliest. */
    add(id: string): number {
      due.add(id);
      schedule();
      return turn + 1;
    },
    remove(id: string): void {
      due.delete(id);
    },
  };
}
