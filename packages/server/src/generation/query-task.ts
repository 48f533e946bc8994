import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { findOwn } from "../tasks/require-own.ts";
import type { GenerationTask } from "./schema.ts";
import { viewGenerationTask } from "./task-view.ts";

export async function queryTask(ctx: Context, caller: Caller, id: string): Promise<GenerationTask> {
  return viewGenerationTask(await findOwn(ctx, caller, id, "generation"), ctx.config);
}
