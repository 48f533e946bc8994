import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Stack } from "@zoetrope/dev/stack.ts";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { type Agent, request } from "undici";
import type { Bare } from "./start-bare.ts";
import type { Vendor } from "./vendor.ts";

/** Whoever makes lives: one after the other, or many at once. */
export interface Lives {
  agent: Agent;
  stack: Stack;
  vendor: Vendor;
  bare: Bare;
  keys: string[];
}

/** One life: from createTask to the customer's callback. */
async function liveTask(lives: Lives, n: number): Promise<void> {
  const taskId = await createTask(lives, n);
  await lives.vendor.calledBack(taskId);
}

export async function createTask(
  { agent, stack, vendor, keys }: Omit<Lives, "bare">,
  n: number,
): Promise<string> {
  const answer = await post(agent, `${stack.apiUrl}/api/v1/jobs/createTask`, {
    headers: {
      authorization: `Bearer ${keys[n % keys.length]}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      model: "sd2",
      inputs: { prompt: "a fox crosses a frozen lake", duration: "4s" },
      callBackUrl: vendor.callbackUrl,
    }),
  });
  return (JSON.parse(answer) as { taskId: string }).taskId;
}

/** As many invocations of one key as a task has, the second after the first. */
async function liveBare({ agent, stack, bare }: Lives, name: string): Promise<void> {
  const key = createHash("sha1").update(name).digest("hex");
  const ended = bare.ended(key);
  for (const handler of ["submit", "poll"])
    await post(agent, `${stack.restate.ingressUrl}/bare/${key}/${handler}/send`);
  await ended;
}

let bareRounds = 0;

/** So many lives, so many at once. Says how many requests the load made and received. */
export async function liveMany(
  lives: Lives,
  side: "life" | "engine",
  { tasks, atOnce }: { tasks: number; atOnce: number },
): Promise<number> {
  const before = lives.vendor.requests();
  const round = ++bareRounds;
  await inParallel(atOnce, Array(tasks).keys(), (n) =>
    side === "life" ? liveTask(lives, n) : liveBare(lives, `${round} ${n}`),
  );
  return side === "life" ? tasks + lives.vendor.requests() - before : 0;
}

type PostOptions = { headers?: Record<string, string>; body?: string };

const againMs = 1_000;

/** Sends again what the api asks to retry, as clients do. */
async function post(agent: Agent, url: string, options: PostOptions = {}): Promise<string> {
  for (;;) {
    const answer = await request(url, { method: "POST", dispatcher: agent, ...options });
    const text = await answer.body.text();
    if (answer.statusCode < 300) return text;
    if (answer.statusCode !== 503) throw new Error(`${url} answered ${answer.statusCode}: ${text}`);
    await pause(againMs);
  }
}
