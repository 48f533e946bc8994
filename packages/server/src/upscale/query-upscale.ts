import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { parseId, type TaskId } from "../ids.ts";
import { findTask } from "../tasks/queries.ts";
import { requireOwn } from "../tasks/require-own.ts";
import type { UpscaleTask } from "./schema.ts";
import { shareDone } from "./segments/queries.ts";
import { viewUpscaleTask } from "./upscale-view.ts";

export async function queryUpscale(ctx: Context, caller: Caller, id: string): Promise<UpscaleTask> {
  const taskId = parseId<TaskId>(id);
  const found = taskId && (await findTask(ctx.db, taskId));
  const task = requireOwn(found, caller, "upscale");
  const isAtWork = task.status === "PROCESSING";
  return viewUpscaleTask(task, ctx.config, isAtWork ? await shareDone(ctx.db, task.id) : 0);
}
