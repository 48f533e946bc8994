import type { Context } from "../context.ts";
import { dropObject } from "../media/objects.ts";
import { deleteUpscale, listOrphans } from "./queries.ts";

const rowsMax = 100;

/** Removes the pieces of a task that is over, and its source where that was only there for it. */
export async function forgetUpscale(ctx: Context, taskId: string): Promise<void> {
  const { objectKeys, vendorJobIds } = await deleteUpscale(ctx.db, taskId);
  for (const key of objectKeys) await dropObject(ctx, key);
  for (const jobId of vendorJobIds) await ctx.vendorUpscaler?.forget(jobId);
}

/** The same for tasks that ended elsewhere: their workers notice that there is nothing left to do. */
export async function sweepUpscales(ctx: Context): Promise<void> {
  for (const taskId of await listOrphans(ctx.db, rowsMax)) await forgetUpscale(ctx, taskId);
}
