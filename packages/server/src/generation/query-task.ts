import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { parseId, type TaskId } from "../ids.ts";
import { findTask } from "../tasks/queries.ts";
import { requireOwn } from "../tasks/require-own.ts";
import type { GenerationTask } from "./schema.ts";
import { viewGenerationTask } from "./task-view.ts";

export async function queryTask(ctx: Context, caller: Caller, id: string): Promise<GenerationTask> {
  const taskId = parseId<TaskId>(id);
  const task = taskId && (await findTask(ctx.db, taskId));
  return viewGenerationTask(requireOwn(task, caller, "generation"), ctx.config);
}
