import { setTimeout as pause } from "node:timers/promises";
import { isAlive } from "@zoetrope/dev/services/is-alive.ts";
import type { RunningProcess } from "@zoetrope/dev/services/process.ts";

export interface Kills {
  count: number;
  /** The number of times that it was found dead: it had ended by itself. */
  crashes: number;
  /** Starts that were not ready in time and were tried again. */
  failedStarts: number;
}

/**
 * Kills a process (SIGKILL) at an interval and restarts it at once. On a busy machine a start can take
 * longer than the interval: the process runs at least `upMsMin`, and as long as its start took, or there
 * would be nothing to interrupt.
 */
export async function killRepeatedly(
  part: RunningProcess,
  options: { everyMs: number; upMsMin: number; killsMax: number; stop: AbortSignal },
  kills: Kills,
): Promise<void> {
  const { everyMs, upMsMin, killsMax, stop } = options;
  const rest = (ms: number) => pause(ms, undefined, { signal: stop }).catch(() => {});
  await rest(everyMs);
  while (!stop.aborted && kills.count < killsMax) {
    const killedAt = performance.now();
    if (!isAlive(part.pid)) kills.crashes += 1;
    await part.kill();
    kills.count += 1;
    await startAgain(part, kills);
    const startMs = performance.now() - killedAt;
    await rest(Math.max(upMsMin, startMs, everyMs - startMs));
  }
}

const startsMax = 3;

async function startAgain(part: RunningProcess, kills: Kills): Promise<void> {
  for (let starts = 1; ; starts += 1) {
    try {
      return await part.restart();
    } catch (error) {
      if (starts === startsMax) throw error;
      kills.failedStarts += 1;
    }
  }
}
