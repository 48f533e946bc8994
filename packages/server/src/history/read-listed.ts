import type { Context } from "../context.ts";
import type { AccountId, TaskId } from "../ids.ts";
import { listVisibleTasks } from "../upscale/queries.ts";
import { viewListedTask } from "./listed-task-view.ts";
import type { ListedTask } from "./schema.ts";

/** The tasks of an account among these, in their order. */
export async function readListed(
  ctx: Context,
  account: { id: AccountId; isTest: boolean },
  taskIds: TaskId[],
): Promise<ListedTask[]> {
  if (taskIds.length === 0) return [];
  const found = await listVisibleTasks(ctx.pool, taskIds);
  const byId = new Map(found.map((task) => [task.id, task]));
  return taskIds.flatMap((taskId) => {
    const task = byId.get(taskId);
    const isOwn = task?.account_id === account.id;
    return task !== undefined && isOwn ? [viewListedTask(task, ctx.config, account.isTest)] : [];
  });
}
