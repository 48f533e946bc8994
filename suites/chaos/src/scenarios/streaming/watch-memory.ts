import { setTimeout as delay } from "node:timers/promises";
import { residentMb, residentMbMax } from "@zoetrope/testkit/process-tree.ts";

const sampleMs = 100;

/** The memory of a process compared with its memory when the watch began. */
export interface MemoryWatch extends AsyncDisposable {
  readonly beforeMb: number;
  /** The most since the watch began. Fails when the process is gone: then nothing was measured. */
  peakMb(): Promise<number>;
}

export async function watchMemory(pid: number): Promise<MemoryWatch> {
  const beforeMb = await residentMb(pid);
  const recordBeforeMb = await residentMbMax(pid);
  const stopped = new AbortController();
  let sampledMb = beforeMb;
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      sampledMb = Math.max(sampledMb, await residentMb(pid));
      await delay(sampleMs);
    }
  })();
  watching.catch(() => {}); // peakMb() meets the same error
  return {
    beforeMb,
    async peakMb() {
      // The kernel misses no moment: a new record is the peak, also when it fell between two samples.
      const recordMb = await residentMbMax(pid);
      return recordMb > recordBeforeMb ? Math.max(recordMb, sampledMb) : sampledMb;
    },
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await watching;
    },
  };
}
