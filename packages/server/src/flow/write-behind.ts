interface Settings<Row> {
  /** The time that a row waits for others before it is saved with them. */
  waitMs: number;
  /** Rows that are saved at once. */
  rowsMax: number;
  /** Rows that may wait: what is beyond is not noted. */
  waitingMax: number;
  /** One call at a time: a slow database must not collect connections. */
  save(rows: Row[]): Promise<void>;
  /** Called with rows that could not be saved: they are lost. */
  lost(rows: Row[], error: unknown): void;
}

/**
 * Notes what may be lost, beside the work that pays for it: noting never waits and never fails, and what was
 * noted is saved for many at once.
 */
export interface WriteBehind<Key, Row> {
  /** Replaces what waits under the key. Returns false if there is no room. */
  note(key: Key, row: Row): boolean;
  waitingOf(key: Key): Row | undefined;
  waiting(): number;
  /** Saves what waits. */
  close(): Promise<void>;
}

export function createWriteBehind<Key, Row>(settings: Settings<Row>): WriteBehind<Key, Row> {
  const { waitMs, rowsMax, waitingMax, save, lost } = settings;
  const waiting = new Map<Key, Row>();
  let timer: NodeJS.Timeout | undefined;
  let saving: Promise<void> | undefined;

  /** Full batches follow each other at once; a smaller one waits for company. */
  async function saveBatches(rowsMin: number): Promise<void> {
    do {
      const keys = [...waiting.keys().take(rowsMax)];
      const rows = [...waiting.values().take(rowsMax)];
      for (const key of keys) waiting.delete(key);
      try {
        if (rows.length > 0) await save(rows);
      } catch (error) {
        return lost(rows, error);
      }
    } while (waiting.size >= rowsMin);
  }

  function start(rowsMin: number): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    saving ??= saveBatches(rowsMin).finally(() => {
      saving = undefined;
      if (waiting.size > 0) schedule();
    });
    return saving;
  }

  function schedule(): void {
    if (saving === undefined) timer ??= setTimeout(start, waitMs, rowsMax).unref();
  }

  return {
    note(key, row) {
      if (waiting.size >= waitingMax && !waiting.has(key)) return false;
      waiting.set(key, row);
      schedule();
      return true;
    },
    waitingOf: (key) => waiting.get(key),
    waiting: () => waiting.size,
    async close() {
      await saving;
      await start(1);
      clearTimeout(timer);
    },
  };
}
