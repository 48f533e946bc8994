import { type Account, lockAccount } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { hold } from "../credits/ledger.ts";
import { inTransaction } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { newId, shardOf } from "../ids.ts";
import { findAnswer, type Idempotency, storeAnswer } from "./idempotency.ts";
import { countOpenTasks, insertTask, type NewTask } from "./queries.ts";

type TaskOrder = Omit<NewTask, "id" | "accountId" | "beginAgainMs"> & {
  /** The caller's own limit for the price. */
  creditsMax: number | null;
  idempotency: Idempotency | null;
};

const retryAfterSeconds = 5;

/**
 * Admits, holds and records a task, then wakes the engine.
 * The row is the truth: if the wake-up is lost, the sweep repeats it.
 */
export async function acceptTask(
  ctx: Context,
  account: Account,
  order: TaskOrder,
): Promise<{ taskId: string; replayed: boolean }> {
  const { idempotency } = order;
  const newTaskId = newId(shardOf(account.id));
  const taskId = await inTransaction(ctx.db, async (tx) => {
    const locked = await lockAccount(tx, account.id);
    if (locked === undefined) throw new ApiError("unauthorized");
    if (idempotency !== null) {
      const answer = await findAnswer(tx, account.id, idempotency);
      if (answer !== undefined) return (answer as { taskId: string }).taskId;
    }
    const openTasks = await countOpenTasks(tx, account.id);
    if (openTasks >= locked.openTasksMax)
      throw new ApiError("concurrency_limit", {
        message: `${openTasks} tasks are running, the limit is ${locked.openTasksMax}. Wait until one has finished.`,
        retryAfterSeconds,
      });
    if (order.creditsMax !== null && order.credits > order.creditsMax)
      throw new ApiError("price_above_max", {
        message: `This task costs ${order.credits} credits, maxCredits is ${order.creditsMax}. Raise it or ask for less.`,
      });
    await hold(tx, { accountId: account.id, taskId: newTaskId, credits: order.credits });
    const { BEGIN_AGAIN_MS: beginAgainMs } = ctx.config;
    await insertTask(tx, { ...order, id: newTaskId, accountId: account.id, beginAgainMs });
    if (idempotency !== null) await storeAnswer(tx, account.id, idempotency, { taskId: newTaskId });
    return newTaskId;
  });
  const replayed = taskId !== newTaskId;
  if (!replayed) ctx.waker.wake(order.kind, "begin", taskId);
  return { taskId, replayed };
}
