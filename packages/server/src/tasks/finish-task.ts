import { finishesOf } from "../batches/finish-tasks.ts";
import { callFunctionIn, inTransaction, type Tx } from "../db/database.ts";
import type { StoredMedia } from "../db/tables/tasks.ts";
import { errorCatalogue, type FailureCode } from "../errors.ts";
import { newId, shardOf, type TaskId } from "../ids.ts";
import type { TasksContext } from "./context.ts";
import { findTaskNow } from "./queries.ts";
import type { TaskRow } from "./task-row.ts";

type FinishContext = Pick<
  TasksContext,
  "config" | "log" | "metrics" | "pool" | "db" | "changes" | "deliverySignal" | "viewTask"
>;

export type Outcome =
  | { kind: "completed"; output: StoredMedia[] }
  /** `message` is more specific than the code's sentence, such as which input is at fault. */
  | { kind: "failed"; code: FailureCode; message?: string };

/**
 * The only place where a task becomes terminal: its status, credits and callback change in one
 * transaction (`finish_task`), which those who finish at the same moment share. A second caller finds
 * nothing to do. Returns whether this call ended the task.
 */
export async function finishTask(
  ctx: FinishContext,
  taskId: TaskId,
  outcome: Outcome,
  /** Called in the transaction that ends the task. */
  alongside?: (tx: Tx, ended: TaskRow) => Promise<void>,
): Promise<boolean> {
  const found = await findTaskNow(ctx.db, taskId);
  if (found === undefined || found.task.completed_at !== null) return false;
  const ended = endOf(found.task, outcome, found.now);
  const shard = shardOf(ended.account_id);
  const args = {
    task_id: taskId,
    status: ended.status,
    output: ended.output,
    error_code: ended.error_code,
    error_message: ended.error_message,
    completed_at: ended.completed_at,
    settlement_id: newId(shard),
    event_id: newId(shard),
    body: JSON.stringify(ctx.viewTask(ended, ctx.config)),
  };
  const isFinished =
    alongside === undefined
      ? (await finishesOf(ctx.pool)({ accountId: ended.account_id, row: JSON.stringify(args) }))
          .is_finished
      : await inTransaction(ctx.db, async (tx) => {
          const output = args.output === null ? null : JSON.stringify(args.output);
          const withOutput = { ...args, output };
          const { is_finished } = await callFunctionIn(tx, "finish_task", withOutput);
          if (is_finished) await alongside(tx, ended);
          return is_finished;
        });
  if (!isFinished) return false;
  ctx.changes.announce(taskId, ended.account_id);
  if (ended.callback_url !== null) ctx.deliverySignal.notify();
  const of = {
    kind: ended.kind,
    mode: found.isTest ? ("test" as const) : ("live" as const),
    model: ended.model,
  };
  ctx.metrics.tasksFinished.add({
    ...of,
    outcome: outcome.kind === "completed" ? "completed" : outcome.code,
  });
  const seconds = (found.now.getTime() - ended.created_at.getTime()) / 1000;
  ctx.metrics.taskFinishSeconds.record(seconds, of);
  ctx.log.info({
    event: "task.finished",
    taskId,
    accountId: ended.account_id,
    status: ended.status,
    errorCode: ended.error_code,
    credits: ended.credits,
  });
  return true;
}

/** The row after the update: the callback equals the response of a later query. */
function endOf(task: TaskRow, outcome: Outcome, completedAt: Date): TaskRow {
  if (outcome.kind === "completed")
    return { ...task, status: "COMPLETED", output: outcome.output, completed_at: completedAt };
  return {
    ...task,
    status: "FAILED",
    error_code: outcome.code,
    error_message: outcome.message ?? errorCatalogue[outcome.code].sentence,
    completed_at: completedAt,
  };
}
