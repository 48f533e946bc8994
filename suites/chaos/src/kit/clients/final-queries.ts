import { setTimeout as pause } from "node:timers/promises";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import type { TaskView } from "../client-log.ts";
import { queryTask, type SentTask, type Shared, sendRequest } from "./run-client.ts";

const triesMax = 5;
const replayEvery = 3;
const atOnceMax = 8;

/**
 * Queries, when nothing is open any more, each task of every client and a task of another account,
 * and repeats every third request under its key.
 */
export async function sendFinalQueries(shared: Shared, sent: SentTask[]): Promise<void> {
  const questions = sent.flatMap((own, index): (() => Promise<unknown>)[] => {
    const others = sent[(index + Math.floor(sent.length / 2)) % sent.length];
    return [
      () => askForOwn(shared, own),
      () => askForAnothers(shared, own, others),
      ...(index % replayEvery === 0 ? [() => sendRequest(shared, own.account, own.request)] : []),
    ];
  });
  await inParallel(atOnceMax, questions, (question) => question());
}

async function askForOwn(shared: Shared, own: SentTask): Promise<void> {
  const { account, taskId } = own;
  for (let tries = 0; tries < triesMax; tries += 1) {
    const answer = await queryTask(shared, account, own);
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
  { account }: SentTask,
  others: SentTask | undefined,
): Promise<void> {
  if (others === undefined || others.account.accountId === account.accountId) return;
  const { taskId } = others;
  const answer = await queryTask(shared, account, others);
  if (answer === "none") return;
  shared.log.write({ event: "foreign", accountId: account.accountId, taskId, ...answer });
}
