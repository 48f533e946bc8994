import type { Context } from "../context.ts";
import { postponeLooks, saveEnds, takeDueLooks, takeTurn } from "../tasks/queries.ts";
import type { Sighting } from "../vendors/vendor.ts";
import { endOf, jobsOf } from "./look-at-job.ts";

const turnMs = 1_000;
const directMax = 100;

/**
 * For callbacks that never come, and for vendors that have none: takes as many of the rows that are
 * due as the account's budget of the second allows, asks the vendor about them, and wakes only the
 * tasks whose job is over or has to be found.
 */
export async function watchVendor(ctx: Context, vendorAccount: string): Promise<void> {
  const jobs = jobsOf(ctx, vendorAccount);
  if (!(await takeTurn(ctx.db, vendorAccount, turnMs))) return;
  const rowsMax = jobs?.looksPerSecond ?? directMax;
  const due = await takeDueLooks(ctx.db, vendorAccount, ctx.config.LOOK_FIRST_MS, rowsMax);
  if (due.length === 0) return;
  const jobIds = due.flatMap((task) => task.vendorJobId ?? []);
  const seen = jobs !== null && jobIds.length > 0 ? await jobs.lookAtMany(jobIds) : null;
  const sightings = seen instanceof Map ? seen : new Map<string, Sighting>();
  const isWaiting = ({ vendorJobId }: DueLook) =>
    vendorJobId !== null && isUnchanged(sightings.get(vendorJobId));
  const waiting = due.filter(isWaiting).map((task) => task.taskId);
  await postponeLooks(ctx.db, waiting, ctx.config.LOOK_FIRST_MS);
  await saveEnds(
    ctx.pool,
    due.flatMap((task) => endSeen(task, sightings)),
  );
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

type DueLook = Awaited<ReturnType<typeof takeDueLooks>>[number];

/** Still at work, or out of reach just now: nothing to wake a task for. */
function isUnchanged(seen: Sighting | undefined): boolean {
  return seen === undefined || seen.kind === "waiting" || seen.kind === "unavailable";
}

/** An end that was seen among many is not asked for again. A list may leave out the link: then it is. */
function endSeen({ taskId, vendorJobId }: DueLook, sightings: Map<string, Sighting>) {
  const seen = sightings.get(vendorJobId ?? "");
  if (seen?.kind === "succeeded") return [endOf(taskId, seen)];
  return seen?.kind === "failed" && seen.code !== "output_unusable" ? [endOf(taskId, seen)] : [];
}
