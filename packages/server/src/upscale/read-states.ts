import { etagOf } from "../http/etag.ts";
import type { TaskId } from "../ids.ts";
import type { TaskState } from "../live/task-state.ts";
import type { TasksContext } from "../tasks/context.ts";
import { listVisibleTasks } from "./queries.ts";

/** Tasks of either kind as their owners see them, any number in one query. */
export async function readStates(
  ctx: TasksContext,
  taskIds: TaskId[],
): Promise<Map<TaskId, TaskState>> {
  const states = new Map<TaskId, TaskState>();
  for (const { shareDone, ...task } of await listVisibleTasks(ctx.pool, taskIds)) {
    const view = ctx.viewTask(task, ctx.config, shareDone ?? 0);
    states.set(task.id, { task, view, version: etagOf(JSON.stringify(view)) });
  }
  return states;
}
