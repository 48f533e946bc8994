import { setTimeout as pause } from "node:timers/promises";
import type { RunningProcess } from "@zoetrope/dev/services/process.ts";

/** Kills the workers in turn (SIGKILL) and restarts them until stopped; returns the number of kills. */
export async function killWorkers(
  workers: readonly RunningProcess[],
  everyMs: number,
  stop: AbortSignal,
): Promise<number> {
  let kills = 0;
  for (;;) {
    await pause(everyMs, undefined, { signal: stop }).catch(() => {});
    const worker = workers[kills % workers.length];
    if (stop.aborted || worker === undefined) return kills;
    await worker.kill();
    kills += 1;
    await worker.restart();
  }
}
