import type { Context } from "../context.ts";
import { finishTask } from "./finish-task.ts";
import { purgeAnswers } from "./idempotency.ts";
import { listExpired, takeUnbegun } from "./queries.ts";

const rowsMax = 200;

/**
 * Repairs what got lost, from the rows alone: the engine may be down, wiped or wrong.
 * Any number of sweeps may run at once: taking a row skips what another one holds, and finishing
 * has one winner.
 */
export async function sweep(ctx: Context): Promise<{ expired: number; woken: number }> {
  let expired = 0;
  for (const task of await listExpired(ctx.db, rowsMax)) {
    const isOurs = await finishTask(ctx, task.taskId, { kind: "failed", code: "task_expired" });
    if (!isOurs) continue;
    expired += 1;
    const jobs = ctx.vendors.get(task.vendorAccount)?.vendor.jobs;
    if (task.vendorJobId !== null) await jobs?.cancel(task.vendorJobId);
  }
  const unbegun = await takeUnbegun(ctx.db, ctx.config.BEGIN_AGAIN_MS, rowsMax);
  for (const { taskId, kind } of unbegun) ctx.waker.wake(kind, "begin", taskId);
  await purgeAnswers(ctx.db, rowsMax);
  const result = { expired, woken: unbegun.length };
  if (expired + result.woken > 0) ctx.log.info({ event: "sweep.repaired", ...result });
  return result;
}
