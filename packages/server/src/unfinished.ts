/** Work that must not be cut off when this process stops: results that are paid for. */
export interface Unfinished {
  /** Answers the same promise. */
  add<Result>(work: Promise<Result>): Promise<Result>;
  /** Aborted when this process is about to stop: then no such work begins any more. */
  readonly stopping: AbortSignal;
  stop(): void;
  /** Returns when all of it has ended, however it did. */
  settle(): Promise<void>;
}

export function createUnfinished(): Unfinished {
  const open = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  return {
    add(work) {
      const noted: Promise<unknown> = work.catch(() => {}).finally(() => open.delete(noted));
      open.add(noted);
      return work;
    },
    stopping: stopping.signal,
    stop: () => stopping.abort(),
    async settle() {
      while (open.size > 0) await Promise.all(open);
    },
  };
}
