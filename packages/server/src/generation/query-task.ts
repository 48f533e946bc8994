import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { isId } from "../ids.ts";
import { mustBeOwn } from "../tasks/must-be-own.ts";
import { findTask } from "../tasks/queries.ts";
import type { GenerationTask } from "./schema.ts";
import { viewGenerationTask } from "./task-view.ts";

export async function queryTask(
  ctx: Context,
  caller: Caller,
  taskId: string,
): Promise<GenerationTask> {
  const task = isId(taskId) ? await findTask(ctx.db, taskId) : undefined;
  return viewGenerationTask(mustBeOwn(task, caller, "generation"), ctx.config);
}
