import { TimeoutError, Zoetrope } from "@zoetrope/sdk";
import type { Service } from "../start-service.ts";

/** Returns the number of requests that a client sends while it waits for a task that does not end. */
export async function countRequestsOfWaiting(
  { stack, proxy }: Service,
  waitMs: number,
): Promise<number> {
  const { key } = await stack.openAccount({ name: "waiting", credits: 1_000 });
  const client = new Zoetrope({ baseUrl: proxy.url, apiKey: key });
  const inputs = { prompt: "a heron [sandbox:hang]" };
  const { taskId } = await client.tasks.create({ model: "sd2", inputs });
  const before = proxy.seenOf(key).requests;
  const ended = await client.tasks
    .wait(taskId, { timeoutMs: waitMs })
    .catch((error: unknown) => error);
  if (!(ended instanceof TimeoutError)) throw new Error(`the wait ended with ${String(ended)}`);
  return proxy.seenOf(key).requests - before;
}
