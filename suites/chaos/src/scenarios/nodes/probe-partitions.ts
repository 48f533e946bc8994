import { setTimeout as pause } from "node:timers/promises";
import { partitionsUsual } from "@zoetrope/dev/services/restate.ts";
import { canaryKeys } from "@zoetrope/server/engine/canary/canary-keys.ts";

const everyMs = 250;
const answerMsMax = 2_000;

/** Calls the canary of every partition again and again, at one node after the other while calls fail. */
export interface Probe {
  /** Whether every partition has completed a call that began after this time. */
  hasAnsweredSince(since: number): boolean;
  /** Returns the longest time after `since` in which a partition completed no call. */
  longestSilenceSince(since: number): number;
  stop(): Promise<void>;
}

export function probePartitions(ingressUrls: readonly string[]): Probe {
  const stopping = new AbortController();
  const startedAt = performance.now();
  const states = Array.from({ length: partitionsUsual }, () => ({
    /** The start time of the newest call that was answered. */
    begunAt: 0,
    answers: [startedAt],
  }));

  async function probe(partition: number, key: string): Promise<void> {
    const state = states[partition];
    if (state === undefined) return;
    let node = partition;
    while (!stopping.signal.aborted) {
      const begunAt = performance.now();
      const url = `${ingressUrls[node % ingressUrls.length]}/canary/${key}/answer`;
      if (await isAnswered(url)) {
        state.begunAt = begunAt;
        state.answers.push(performance.now());
      } else node += 1;
      await pause(everyMs);
    }
  }

  const probing = Promise.all(canaryKeys(partitionsUsual).map((key, index) => probe(index, key)));
  return {
    hasAnsweredSince: (since) => states.every(({ begunAt }) => begunAt > since),
    longestSilenceSince(since) {
      const now = performance.now();
      return Math.max(...states.map(({ answers }) => longestGap([...answers, now], since)));
    },
    async stop() {
      stopping.abort();
      await probing;
    },
  };
}

function longestGap(times: readonly number[], since: number): number {
  const gaps = times.map((at, index) => at - Math.max(since, times[index - 1] ?? at));
  return Math.max(...gaps);
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerMsMax);
    const response = await fetch(url, { method: "POST", signal });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
