/** Runs a read for everybody who asks for the same at the same time. */
export type ShareRead = <Result>(name: string, read: () => Promise<Result>) => Promise<Result>;

interface SharedRead {
  running: Promise<unknown>;
  next: Promise<unknown> | null;
}

/**
 * Shares repeated reads of the same thing: any number of callers costs two queries. A caller that asks
 * while a read runs shares the next one, so that every result was current when it was requested, or later.
 * A name stands for one kind of result.
 */
export function createShareReads(): ShareRead {
  const sharedReads = new Map<string, SharedRead>();

  function start<Result>(name: string, read: () => Promise<Result>): Promise<Result> {
    const running = read();
    const shared: SharedRead = { running, next: null };
    sharedReads.set(name, shared);
    const end = () => {
      if (shared.next === null) sharedReads.delete(name);
    };
    running.then(end, end);
    return running;
  }

  return <Result>(name: string, read: () => Promise<Result>) => {
    const shared = sharedReads.get(name);
    if (shared === undefined) return start(name, read);
    const begin = () => start(name, read);
    shared.next ??= shared.running.then(begin, begin);
    return shared.next as Promise<Result>;
  };
}
