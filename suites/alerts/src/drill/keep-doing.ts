import { setTimeout as pause } from "node:timers/promises";

/** Repeats work until it is stopped; a failure is only repeated. Returns a function that stops it. */
export function keepDoing(work: () => Promise<unknown>, everyMs: number): () => Promise<void> {
  const stopping = new AbortController();
  const repeat = async () => {
    while (!stopping.signal.aborted) {
      await work().catch(() => {});
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const ended = repeat();
  return async () => {
    stopping.abort();
    await ended;
  };
}
