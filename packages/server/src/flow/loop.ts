import { setTimeout as pause } from "node:timers/promises";
import { createOutage, type Log } from "../log.ts";
import { withinMs } from "./within-ms.ts";

const roundMsMaxUsual = 60_000;
/** The number of rounds that may fail before a loop counts as dead. */
const roundsMissedMax = 3;

export interface LoopState {
  name: string;
  startedAt: Date;
  lastSuccessAt: Date | null;
  /** Whether it succeeded recently, or has just started. */
  isAlive: boolean;
}

interface OpenState extends Pick<LoopState, "startedAt" | "lastSuccessAt"> {
  /** Its start or last success, by a clock that does not jump. */
  aliveAt: number;
  /** The time for which it counts as alive after that. */
  msMax: number;
}

/** The loops of one process: each fails on its own, and its last success is recorded. */
export interface Loops {
  /**
   * Repeats work until stopped. A failure is retried in the next round, and logged when it begins and when it is over. `until` asks the
   * work to start nothing more; a round that still does not end is abandoned, so that one hanging call
   * does not end the loop.
   */
  repeat(
    options: { name: string; everyMs: number; roundMsMax?: number },
    work: (until: AbortSignal) => Promise<unknown>,
  ): Promise<void>;
  /** Monitors a loop that runs by itself: returns the function to call after every successful round. */
  monitor(options: { name: string; everyMs: number }): () => void;
  lastSuccessAt(name: string): Date | null;
  list(): LoopState[];
}

export function createLoops({ stop, log }: { stop: AbortSignal; log: Log }): Loops {
  const states = new Map<string, OpenState>();

  function open(name: string, msMax: number): () => void {
    const state: OpenState = {
      startedAt: new Date(),
      lastSuccessAt: null,
      aliveAt: performance.now(),
      msMax,
    };
    states.set(name, state);
    return () => {
      state.lastSuccessAt = new Date();
      state.aliveAt = performance.now();
    };
  }

  return {
    async repeat({ name, everyMs, roundMsMax = roundMsMaxUsual }, work) {
      const succeeded = open(name, roundsMissedMax * (everyMs + roundMsMax));
      const events = { failed: "loop.failed", over: "loop.recovered", level: "error" } as const;
      const outage = createOutage(log, { ...events, name });
      while (!stop.aborted) {
        try {
          const until = AbortSignal.any([stop, AbortSignal.timeout(roundMsMax / 2)]);
          await withinMs(roundMsMax, work(until));
          succeeded();
          outage.end();
        } catch (error) {
          outage.note(error);
        }
        await pause(everyMs, undefined, { signal: stop }).catch(() => {});
      }
    },
    monitor: ({ name, everyMs }) => open(name, roundsMissedMax * (everyMs + roundMsMaxUsual)),
    lastSuccessAt: (name) => states.get(name)?.lastSuccessAt ?? null,
    list: () =>
      [...states].map(([name, { startedAt, lastSuccessAt, aliveAt, msMax }]) => ({
        name,
        startedAt,
        lastSuccessAt,
        isAlive: performance.now() - aliveAt <= msMax,
      })),
  };
}
