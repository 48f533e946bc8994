import { setTimeout as pause } from "node:timers/promises";
import type { OpenedAccount } from "@zoetrope/dev/open-accounts.ts";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { callApi } from "./call-api.ts";

const atOnceMax = 24;
const triesMax = 20;
const retryMs = 500;

/** Creates a task of each body, for all accounts in turn; gives the ids in the order of the bodies. */
export function createTasks(
  apiUrl: string,
  accounts: readonly OpenedAccount[],
  bodies: readonly unknown[],
): Promise<string[]> {
  return inParallel(atOnceMax, bodies, (body, number) => {
    const account = accounts[number % accounts.length];
    if (account === undefined) throw new Error("there is no account");
    return createTask(apiUrl, account.key, `task-${number}`, body);
  });
}

async function createTask(apiUrl: string, key: string, idempotencyKey: string, body: unknown) {
  const path = "/api/v1/jobs/createTask";
  for (let tries = 1; tries <= triesMax; tries += 1) {
    const answer = await callApi(apiUrl, { method: "POST", path, key, idempotencyKey, body });
    if (answer !== "none" && answer.status === 200)
      return (answer.body as { taskId: string }).taskId;
    if (answer !== "none" && answer.status < 500)
      throw new Error(`createTask answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    await pause(retryMs);
  }
  throw new Error(`createTask had no answer in ${triesMax} tries`);
}
