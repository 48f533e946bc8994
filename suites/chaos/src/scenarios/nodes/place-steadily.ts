import { setTimeout as pause } from "node:timers/promises";
import type { OpenedAccount } from "@zoetrope/dev/open-accounts.ts";
import { runClient, type SentTask, type Shared } from "../../kit/clients/run-client.ts";
import { createRandom } from "../../kit/random.ts";
import { planRequest } from "../fast/plan.ts";

export interface SteadyLoad {
  /** The longest that a task took, of those that were open at `since` or were placed after it. */
  slowestSince(since: number): number;
  /** Stops placing; waits for the ends of the tasks. */
  finish(): Promise<SentTask[]>;
}

const seed = 1;
const openMax = 12;

/**
 * Places a request at a steady rate and follows each task to its end. No request fails by itself.
 * While too many are open none is placed: a busy machine makes few videos, and what waits for them
 * would fill the engine, which is not what is tried here.
 */
export function placeSteadily(
  shared: Shared,
  accounts: readonly OpenedAccount[],
  requestsPerSecond: number,
): SteadyLoad {
  const stopping = new AbortController();
  const random = createRandom(seed);
  const spans: { from: number; to: number | null }[] = [];
  const running: Promise<SentTask[]>[] = [];

  async function follow(account: OpenedAccount, number: number): Promise<SentTask[]> {
    const span: (typeof spans)[number] = { from: performance.now(), to: null };
    spans.push(span);
    const request = planRequest(random, `nodes-${number}`, "");
    const sent = await runClient(shared, account, [{ ...request, outputResolution: "720p" }]);
    span.to = performance.now();
    return sent;
  }

  const placing = (async () => {
    for (let number = 0; !stopping.signal.aborted; number += 1) {
      const account = accounts[number % accounts.length];
      const open = spans.filter(({ to }) => to === null).length;
      if (account !== undefined && open < openMax) running.push(follow(account, number));
      await pause(1_000 / requestsPerSecond);
    }
  })();

  return {
    slowestSince(since) {
      const now = performance.now();
      const met = spans.filter(({ to }) => to === null || to > since);
      return Math.max(0, ...met.map(({ from, to }) => (to ?? now) - from));
    },
    async finish() {
      stopping.abort();
      await placing;
      return (await Promise.all(running)).flat();
    },
  };
}
