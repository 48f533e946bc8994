/** Work that must complete before this process stops: outputs that are paid for. */
export interface Unfinished {
  /** Returns the same promise. */
  add<Result>(work: Promise<Result>): Promise<Result>;
  /** Aborted when this process is about to stop: no such work starts any more. */
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
