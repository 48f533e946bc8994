/** Work that must not be cut off when this process stops, such as results that are paid for. */
export interface Unfinished {
  /** Answers the same promise. */
  add<Result>(work: Promise<Result>): Promise<Result>;
  /** Returns when all of it has ended, however it did. */
  settle(): Promise<void>;
}

export function createUnfinished(): Unfinished {
  const open = new Set<Promise<unknown>>();
  return {
    add(work) {
      const noted: Promise<unknown> = work.catch(() => {}).finally(() => open.delete(noted));
      open.add(noted);
      return work;
    },
    async settle() {
      while (open.size > 0) await Promise.all(open);
    },
  };
}
