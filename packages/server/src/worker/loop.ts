import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../log.ts";

/** Does a piece of work again and again until told to stop. A failure is logged and tried at the next turn. */
export async function repeat(
  options: { name: string; everyMs: number; stop: AbortSignal; log: Log },
  work: () => Promise<unknown>,
): Promise<void> {
  const { name, everyMs, stop, log } = options;
  while (!stop.aborted) {
    try {
      await work();
    } catch (error) {
      log.error({ event: "loop.failed", name, reason: String(error) });
    }
    await pause(everyMs, undefined, { signal: stop }).catch(() => {});
  }
}
