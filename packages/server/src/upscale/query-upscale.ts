import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { findOwn } from "../tasks/require-own.ts";
import { listVisibleTasks } from "./queries.ts";
import type { UpscaleTask } from "./schema.ts";
import { viewUpscaleTask } from "./upscale-view.ts";

/**
 * Returns an upscale of the caller's. State and progress are read in one statement: the segments are gone
 * as soon as the task is over.
 */
export async function queryUpscale(ctx: Context, caller: Caller, id: string): Promise<UpscaleTask> {
  const task = await findOwn(ctx, caller, id, "upscale");
  if (task.status !== "PROCESSING") return viewUpscaleTask(task, ctx.config);
  const [now = { ...task, shareDone: null }] = await listVisibleTasks(ctx.pool, [task.id]);
  return viewUpscaleTask(now, ctx.config, now.shareDone ?? 0);
}
