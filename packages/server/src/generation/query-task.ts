import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { isId } from "../ids.ts";
import { findTask } from "../tasks/queries.ts";
import type { GenerationTask } from "./schema.ts";
import { viewGenerationTask } from "./task-view.ts";

export async function queryTask(
  ctx: Context,
  caller: Caller,
  taskId: string,
): Promise<GenerationTask> {
  const task = isId(taskId) ? await findTask(ctx.db, taskId) : undefined;
  if (task === undefined || task.kind !== "generation") throw new ApiError("task_not_found");
  if (task.account_id !== caller.id) throw new ApiError("access_denied");
  return viewGenerationTask(task, ctx.config);
}
