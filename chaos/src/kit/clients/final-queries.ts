import { setTimeout as pause } from "node:timers/promises";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import type { TaskView } from "../client-log.ts";
import { type Given, queryTask, type Shared, sendRequest } from "./run-client.ts";

const triesMax = 5;
const replayEvery = 3;
const atOnceMax = 8;

/**
 * When nothing is open any more, every client queries each of its tasks and a task of another account,
 * and repeats every third request under its key.
 */
export async function sendFinalQueries(shared: Shared, given: Given[]): Promise<void> {
  const questions = given.flatMap((own, index): (() => Promise<unknown>)[] => {
    const others = given[(index + Math.floor(given.length / 2)) % given.length];
    return [
      () => askForOwn(shared, own),
      () => askForAnothers(shared, own, others),
      ...(index % replayEvery === 0 ? [() => sendRequest(shared, own.account, own.request)] : []),
    ];
  });
  await inParallel(atOnceMax, questions, (question) => question());
}

async function askForOwn(shared: Shared, { account, taskId }: Given): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const answer = await queryTask(shared, account, taskId);
    if (answer !== "none" && answer.status === 200) {
      const task = answer.body as TaskView;
      const { accountId } = account;
      return shared.log.write({ event: "last", at: Date.now(), accountId, taskId, task });
    }
    await pause(500);
  }
}

async function askForAnothers(
  shared: Shared,
  { account }: Given,
  others: Given | undefined,
): Promise<void> {
  if (others === undefined || others.account.accountId === account.accountId) return;
  const { taskId } = others;
  const answer = await queryTask(shared, account, taskId);
  if (answer === "none") return;
  shared.log.write({ event: "foreign", accountId: account.accountId, taskId, ...answer });
}
