import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { findOwn } from "../tasks/require-own.ts";
import type { UpscaleTask } from "./schema.ts";
import { shareDone } from "./segments/queries.ts";
import { viewUpscaleTask } from "./upscale-view.ts";

export async function queryUpscale(ctx: Context, caller: Caller, id: string): Promise<UpscaleTask> {
  const task = await findOwn(ctx, caller, id, "upscale");
  const isAtWork = task.status === "PROCESSING";
  return viewUpscaleTask(task, ctx.config, isAtWork ? await shareDone(ctx.db, task.id) : 0);
}
