import { setTimeout as pause } from "node:timers/promises";
import { descendantsOf, readProc } from "@zoetrope/testkit/process-tree.ts";

const ticksPerSecond = 100;
const sampleEveryMs = 10; // the kernel's own step

interface CpuUse {
  seconds: number;
  /** Processes below it that were not there at first. */
  started: number;
}

/**
 * Counts the processor time of a process and its descendants from now on. Samples repeatedly, because
 * children that nobody waits for (bubblewrap's) leave no record; one that is gone counts as it was last seen,
 * so that the figure is too small by less than the time between two samples for each of them. Linux only.
 */
export function watchCpu(pid: number): { stop(): Promise<CpuUse> } {
  const seen = new Map<string, { first: number; last: number }>();
  const stopping = new AbortController();
  let knownFirst = 0;

  async function sample(isFirst: boolean): Promise<void> {
    const now = await readTree(pid);
    for (const [name, seconds] of now) {
      const known = seen.get(name);
      if (known === undefined) seen.set(name, { first: isFirst ? seconds : 0, last: seconds });
      else known.last = seconds;
    }
  }

  async function watch(): Promise<void> {
    await sample(true);
    knownFirst = seen.size;
    while (!stopping.signal.aborted) {
      await pause(sampleEveryMs, undefined, { signal: stopping.signal }).catch(() => {});
      await sample(false);
    }
  }

  const watching = watch();
  return {
    async stop() {
      stopping.abort();
      await watching;
      const used = [...seen.values()].reduce((sum, { first, last }) => sum + last - first, 0);
      return { seconds: used, started: seen.size - knownFirst };
    },
  };
}

/** Returns each process's own seconds so far, by its number and start, since numbers are reused. */
async function readTree(pid: number): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const id of [pid, ...(await descendantsOf(pid))]) {
    const text = await readProc(id, "stat");
    if (text === "") continue;
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    found.set(`${id} ${fields[19]}`, ticks / ticksPerSecond);
  }
  return found;
}
