import { eachRow } from "../flow/each-row.ts";
import type { TaskId } from "../ids.ts";
import { keepObjects } from "../media/storage/objects.ts";
import type { UpscaleContext } from "./context.ts";
import { deleteUpscale, listOrphans, sweepUpscalesLoop } from "./queries.ts";
import { upscalerAccount } from "./validate-source.ts";

const rowsMax = 100;
const tasksAtOnceMax = 4;
const forgetMsMax = 15_000;

/** Releases the segments of an ended task for collection, and its source if it was fetched for the task. */
export async function forgetUpscale(ctx: UpscaleContext, taskId: TaskId): Promise<void> {
  const { objectKeys, vendorJobIds } = await deleteUpscale(ctx.db, taskId);
  await keepObjects(ctx.db, objectKeys, 0);
  const { vendorUpscaler } = ctx;
  if (vendorUpscaler === null) return;
  for (const jobId of vendorJobIds)
    ctx.cancels.send(upscalerAccount, jobId, () => vendorUpscaler.forget(jobId));
}

/** Forgets upscales that ended in another process; their workers lose their leases. */
export async function sweepUpscales(ctx: UpscaleContext, until?: AbortSignal): Promise<void> {
  const options = {
    loop: sweepUpscalesLoop,
    keyOf: (taskId: TaskId) => taskId,
    atOnceMax: tasksAtOnceMax,
    rowMsMax: forgetMsMax,
  };
  const orphans = await listOrphans(ctx.db, rowsMax);
  await eachRow(ctx, orphans, options, (taskId) => forgetUpscale(ctx, taskId), until);
}
