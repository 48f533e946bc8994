import { Zoetrope } from "@zoetrope/sdk";
import type { Service } from "../start-service.ts";

export interface BatchCount {
  readonly completed: number;
  /** Responses 429 of the service. */
  readonly refusals: number;
  readonly requests: number;
}

/** Runs so many tasks on an account that may have three at once. */
export async function runLimitedBatch(
  { stack, proxy }: Service,
  count: number,
): Promise<BatchCount> {
  const account = { name: "batch", credits: 100 * count, openTasksMax: 3 };
  const { key } = await stack.openAccount(account);
  const client = new Zoetrope({ baseUrl: proxy.url, apiKey: key });
  const requests = Array.from({ length: count }, (_, n) => ({
    model: "image-plus-2" as const,
    inputs: { prompt: `a fox, number ${n}`, resolution: "1k" as const },
  }));
  let completed = 0;
  for await (const result of client.batch(requests, { concurrency: "account" })) {
    if (result.status === "failed") throw result.error;
    completed += 1;
  }
  return { completed, ...proxy.seenOf(key) };
}
