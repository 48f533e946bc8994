import { setTimeout as pause } from "node:timers/promises";

/** Repeats something until it is told to stop; what fails is only repeated. Returns what stops it. */
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
