import { AccountMoved } from "../accounts/account-moved.ts";
import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import type { TaskKind } from "../engine/waker.ts";
import { ApiError } from "../errors.ts";
import { withinMs } from "../flow/within-ms.ts";
import { parseId, type TaskId } from "../ids.ts";
import { findTask } from "./queries.ts";
import type { TaskRow } from "./task-row.ts";

/** Another account's task is refused; a task of the other kind is not found. */
export function requireOwn<Task extends Pick<TaskRow, "account_id" | "kind">>(
  task: Task | undefined,
  caller: Caller,
  kind: TaskKind,
): Task {
  if (task === undefined || task.kind !== kind) throw new ApiError("task_not_found");
  if (task.account_id !== caller.id) throw new ApiError("access_denied");
  return task;
}

const elsewhereMsMax = 1_000;

/**
 * Returns a task by id. A task of another account may be in another shard: it is looked up there, and
 * refused.
 */
export async function findOwn(
  ctx: Context,
  caller: Caller,
  id: string,
  kind: TaskKind,
): Promise<TaskRow> {
  const taskId = parseId<TaskId>(id);
  const task = taskId && (await findTask(ctx.db, taskId));
  if (taskId !== undefined && task === undefined)
    for (const { db } of ctx.otherShards) {
      const asked = withinMs(elsewhereMsMax, findTask(db, taskId));
      const elsewhere = await asked.catch(() => undefined); // a shard that is away delays nobody of another
      if (elsewhere === undefined) continue;
      requireOwn(elsewhere, caller, kind);
      throw new AccountMoved(); // it was here a moment ago
    }
  return requireOwn(task, caller, kind);
}
