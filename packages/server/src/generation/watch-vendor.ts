import type { Context } from "../context.ts";
import { postponeLooks, takeDueLooks, takeTurn } from "../tasks/queries.ts";
import { vendorOf } from "./submit-job.ts";

const jobsMax = 100; // per call: their ids must fit into a URL
const callIntervalMs = 1_000; // Ark allows one list call per second and account

/**
 * The fallback for callbacks that never come: takes the rows that are due, asks the vendor about all
 * of them in one call, and wakes only the tasks whose job is over.
 */
export async function watchVendor(ctx: Context, vendorAccount: string): Promise<void> {
  if (!(await takeTurn(ctx.db, vendorAccount, callIntervalMs))) return;
  const due = await takeDueLooks(ctx.db, vendorAccount, ctx.config.LOOK_FIRST_MS, jobsMax);
  if (due.length === 0) return;
  const jobIds = due.flatMap((task) => task.vendorJobId ?? []);
  const seen = jobIds.length > 0 ? await vendorOf(ctx, { vendorAccount }).lookAtMany(jobIds) : null;
  const isWaiting = ({ vendorJobId }: (typeof due)[number]) =>
    vendorJobId !== null &&
    (seen === null || seen === "unavailable" || seen.get(vendorJobId)?.kind === "waiting");
  const waiting = due.filter(isWaiting).map((task) => task.taskId);
  await postponeLooks(ctx.db, waiting, ctx.config.LOOK_FIRST_MS);
  for (const task of due) if (!isWaiting(task)) ctx.waker.wake("generation", "look", task.taskId);
  const outcome = seen === "unavailable" ? "unavailable" : "listed";
  ctx.log.info({
    event: "vendor.watched",
    vendorAccount,
    due: due.length,
    waiting: waiting.length,
    outcome,
  });
}
