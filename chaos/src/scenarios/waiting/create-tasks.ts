import { setTimeout as pause } from "node:timers/promises";
import { callApi } from "../../kit/load/call-api.ts";
import type { OpenedAccount } from "../../kit/load/open-accounts.ts";

const atOnceMax = 24;
const triesMax = 20;
const againMs = 500;

/** Creates tasks for all accounts in turn, a bounded number at a time. */
export async function createTasks(
  apiUrl: string,
  accounts: OpenedAccount[],
  tasks: number,
  body: unknown,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < tasks) {
      const number = next++;
      const account = accounts[number % accounts.length];
      if (account !== undefined) await createTask(apiUrl, account, `waiting-${number}`, body);
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, work));
}

async function createTask(
  apiUrl: string,
  account: OpenedAccount,
  idempotencyKey: string,
  body: unknown,
): Promise<void> {
  const path = "/api/v1/jobs/createTask";
  for (let tries = 1; tries <= triesMax; tries += 1) {
    const call = { method: "POST", path, key: account.key, idempotencyKey, body } as const;
    const answer = await callApi(apiUrl, call);
    if (answer !== "none" && answer.status === 200) return;
    if (answer !== "none" && answer.status < 500)
      throw new Error(`createTask answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    await pause(againMs);
  }
  throw new Error(`createTask had no answer in ${triesMax} tries`);
}
