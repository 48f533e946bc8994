import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Agent, request } from "undici";

/** A customer that follows the documentation: keys for repeats, `Prefer: wait`, and a retry after a 503. */
export interface Customer {
  readonly apiUrl: string;
  readonly agent: Agent;
  readonly callbackUrl: string;
}

/** The type of what a task delivers. */
export type OutputType = keyof typeof requestOf;

const againMs = 50;
const requestOf = {
  video: (prompt: string) => ({ model: "sd2", inputs: { prompt, duration: "4s" } }),
  image: (prompt: string) => ({ model: "image-pro-2", inputs: { prompt, resolution: "1k" } }),
} as const;

export async function create(
  customer: Customer,
  key: string,
  prompt: string,
  type: OutputType = "video",
): Promise<string> {
  const body = JSON.stringify({ ...requestOf[type](prompt), callBackUrl: customer.callbackUrl });
  const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
  const path = "/api/v1/jobs/createTask";
  return (await ask<{ taskId: string }>(customer, key, { method: "POST", path, headers, body }))
    .taskId;
}

/** Settles when the task is over, and says how. */
export async function untilOver(customer: Customer, key: string, taskId: string): Promise<string> {
  const path = `/api/v1/jobs/queryTask?taskId=${taskId}`;
  const headers = { prefer: "wait=60" };
  for (let etag = ""; ; ) {
    const conditions = etag === "" ? {} : { "if-none-match": etag };
    const asked = { method: "GET", path, headers: { ...headers, ...conditions } } as const;
    const task = await ask<{ status: string; etag: string } | null>(customer, key, asked);
    if (task === null) continue;
    ({ etag } = task);
    if (task.status === "COMPLETED" || task.status === "FAILED") return task.status;
  }
}

export async function availableCredits(customer: Customer, key: string): Promise<number> {
  const asked = { method: "GET", path: "/api/v1/account/credits", headers: {} } as const;
  return (await ask<{ availableCredits: number }>(customer, key, asked)).availableCredits;
}

interface Asked {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns null if nothing has changed. Retries while the service is not there, which is what is measured. */
async function ask<Answer>(customer: Customer, key: string, asked: Asked): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, ...asked.headers };
  for (;;) {
    const { path, method, body } = asked;
    const sent = request(`${customer.apiUrl}${path}`, {
      method,
      headers,
      dispatcher: customer.agent,
      body: body ?? null,
    });
    const answer = await sent.catch(() => null);
    const text = (await answer?.body.text().catch(() => null)) ?? null;
    if (answer !== null && text !== null) {
      if (answer.statusCode === 304) return null as Answer;
      if (answer.statusCode < 300)
        return { ...JSON.parse(text), etag: String(answer.headers["etag"] ?? "") };
      if (answer.statusCode < 500 && answer.statusCode !== 429)
        throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    }
    await pause(againMs);
  }
}
