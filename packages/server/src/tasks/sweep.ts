import type { Context } from "../context.ts";
import { eachRow } from "../flow/each-row.ts";
import { continueTrace } from "../tracing/trace-context.ts";
import type { SweepContext, VendorsContext } from "./context.ts";
import { finishTask } from "./finish-task.ts";
import { isOpen, listExpired, takeUnsubmitted } from "./queries.ts";
import { expireLoop, forgetEndedTasks } from "./stuck-tasks.ts";

/**
 * Repairs lost work from the rows alone: the engine may be down, wiped or wrong. Any number of sweeps
 * may run concurrently: taking a row skips locked rows, and finishing has one winner.
 */

const rowsMax = 200;
/** More, so that what was accepted while the engine was away is not held up by the sweep. */
const wokenMax = 1_000;
/** Few, since each waiting for a lock holds a database connection. */
const accountsAtOnceMax = 4;
const finishMsMax = 15_000;
/** A task ends at most a minute after its deadline, also when the first tries failed. */
const laterMsMax = 20_000;

/**
 * Fails the tasks whose deadline has passed; returns how many. A task that cannot be ended, because
 * its account's row is locked or its data is damaged, does not delay tasks of other accounts.
 */
export async function expireTasks(ctx: SweepContext, until?: AbortSignal): Promise<number> {
  let expired = 0;
  const options = {
    loop: expireLoop,
    keyOf: ({ taskId }: Expired) => taskId,
    accountOf: ({ accountId }: Expired) => accountId,
    atOnceMax: accountsAtOnceMax,
    rowMsMax: finishMsMax,
    laterMsMax,
  };
  const expire = async (task: Expired) => {
    const { taskId, traceparent, failureCode } = task;
    const outcome = { kind: "failed", code: failureCode ?? "task_expired" } as const;
    if (await continueTrace(traceparent, () => finishTask(ctx, taskId, outcome))) {
      expired += 1;
      cancelJob(ctx, task);
    } else if (await isOpen(ctx.db, task.taskId))
      throw new Error("the task has ended or does not exist, but its open row remains");
  };
  await eachRow(ctx, await listExpired(ctx.db, rowsMax), options, expire, until);
  await forgetEndedTasks(ctx.db);
  if (expired > 0) ctx.log.info({ event: "sweep.expired", expired });
  return expired;
}

type Expired = Awaited<ReturnType<typeof listExpired>>[number];

/** Cancels a job in the background, so that the response does not wait for it. */
export function cancelJob(
  ctx: Pick<VendorsContext, "vendors" | "cancels">,
  { vendorAccount, vendorJobId }: Pick<Expired, "vendorAccount" | "vendorJobId">,
): void {
  const jobs = ctx.vendors.get(vendorAccount)?.vendor.jobs;
  if (vendorJobId === null || !jobs) return;
  ctx.cancels.send(vendorAccount, vendorJobId, () => jobs.cancel(vendorJobId));
}

/** Re-sends lost wake-ups of unsubmitted tasks; returns how many. */
export async function wakeUnsubmitted(ctx: Context): Promise<number> {
  const unsubmitted = await takeUnsubmitted(ctx.db, ctx.config.tasks.submitRetryMs, wokenMax);
  for (const { taskId, kind, traceparent } of unsubmitted) {
    continueTrace(traceparent, () => ctx.waker.wake(kind, "submit", taskId));
    ctx.metrics.wakeUpsRepeated.add({ kind });
  }
  if (unsubmitted.length > 0) ctx.log.info({ event: "sweep.woken", woken: unsubmitted.length });
  return unsubmitted.length;
}
