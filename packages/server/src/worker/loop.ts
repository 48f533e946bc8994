import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../log.ts";
import { withinMs } from "../within-ms.ts";

const turnMsMaxUsual = 60_000;
/** So many turns may fail before a loop counts as not alive. */
const turnsMissedMax = 3;

interface LoopState {
  name: string;
  startedAt: Date;
  lastSuccessAt: Date | null;
  /** Whether it has done its work lately, or is too young to tell. */
  isAlive: boolean;
}

/** The loops of one process: they fail on their own, and it is known when each last did its work. */
export interface Loops {
  /**
   * Does a segment of work again and again until told to stop. A failure is logged and tried at the next
   * turn. `until` asks the work to begin nothing more; a turn that still does not end is given up, so
   * that one call that hangs does not end the loop.
   */
  repeat(
    options: { name: string; everyMs: number; turnMsMax?: number },
    work: (until: AbortSignal) => Promise<unknown>,
  ): Promise<void>;
  /** For a loop that runs by itself: gives what it calls after every turn that went well. */
  watch(options: { name: string; everyMs: number }): () => void;
  lastSuccessAt(name: string): Date | null;
  list(): LoopState[];
}

export function createLoops({ stop, log }: { stop: AbortSignal; log: Log }): Loops {
  const states = new Map<string, { startedAt: Date; lastSuccessAt: Date | null; msMax: number }>();

  function open(name: string, msMax: number): () => void {
    const state = { startedAt: new Date(), lastSuccessAt: null as Date | null, msMax };
    states.set(name, state);
    return () => {
      state.lastSuccessAt = new Date();
    };
  }

  return {
    async repeat({ name, everyMs, turnMsMax = turnMsMaxUsual }, work) {
      const succeeded = open(name, turnsMissedMax * (everyMs + turnMsMax));
      while (!stop.aborted) {
        try {
          const until = AbortSignal.any([stop, AbortSignal.timeout(turnMsMax / 2)]);
          await withinMs(turnMsMax, work(until));
          succeeded();
        } catch (error) {
          log.error({ event: "loop.failed", name, reason: String(error) });
        }
        await pause(everyMs, undefined, { signal: stop }).catch(() => {});
      }
    },
    watch: ({ name, everyMs }) => open(name, turnsMissedMax * (everyMs + turnMsMaxUsual)),
    lastSuccessAt: (name) => states.get(name)?.lastSuccessAt ?? null,
    list: () =>
      [...states].map(([name, { startedAt, lastSuccessAt, msMax }]) => ({
        name,
        startedAt,
        lastSuccessAt,
        isAlive: Date.now() - (lastSuccessAt ?? startedAt).getTime() <= msMax,
      })),
  };
}
