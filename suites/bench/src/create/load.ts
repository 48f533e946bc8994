import { Agent, request } from "undici";
import { sampleTask } from "./bench-database.ts";
import type { Timed } from "./tail.ts";

export interface Target {
  url: string;
  headers(n: number): Record<string, string>;
}

/** One create; anything but a 200 ends the run. */
async function create(agent: Agent, target: Target, n: number): Promise<void> {
  const answer = await request(target.url, {
    method: "POST",
    headers: { "content-type": "application/json", ...target.headers(n) },
    body: sampleTask.body,
    dispatcher: agent,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}: ${text}`);
}

/**
 * Measures the creates per second of this many clients that each send the next request after the
 * last response.
 */
export async function measureRate(
  target: Target,
  options: { clients: number; seconds: number; accounts: number },
): Promise<number> {
  const agent = new Agent({ connections: options.clients });
  const startedAt = performance.now();
  const endsAt = startedAt + options.seconds * 1_000;
  let count = 0;
  const client = async () => {
    while (performance.now() < endsAt) {
      await create(agent, target, Math.floor(Math.random() * options.accounts));
      count++;
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  const seconds = (performance.now() - startedAt) / 1_000;
  await agent.close();
  return count / seconds;
}

/**
 * Sends requests at fixed times whether or not earlier ones have a response, so that a stall is
 * seen by all that fall into it.
 */
export async function measureLatency(
  target: Target,
  options: { perSecond: number; seconds: number; accounts: number },
): Promise<Timed[]> {
  const agent = new Agent({ connections: 64 });
  const count = options.perSecond * options.seconds;
  const startedAt = performance.now();
  const latencies = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const dueAt = startedAt + (index * 1_000) / options.perSecond;
      await new Promise((resolve) => setTimeout(resolve, Math.max(dueAt - performance.now(), 0)));
      await create(agent, target, Math.floor(Math.random() * options.accounts));
      return { dueAt, ms: performance.now() - dueAt };
    }),
  );
  await agent.close();
  return latencies;
}
