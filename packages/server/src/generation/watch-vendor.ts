import type { Context } from "../context.ts";
import { isUnavailable } from "../db/database.ts";
import { eachRow, noteFailures, noteSuccess, type RowLoop } from "../db/each-row.ts";
import { forgetFailures } from "../db/stuck-rows.ts";
import { postponeLooks, saveEnds, takeDueLooks, takeTurn } from "../tasks/queries.ts";
import { watchLoopOf } from "../tasks/stuck-tasks.ts";
import type { Sighting, VendorJobs } from "../vendors/vendor.ts";
import { endOf, jobsOf } from "./look-at-job.ts";

const turnMs = 1_000;
const directMax = 100;

const saveMsMax = 15_000;
const savesAtOnceMax = 4;
const laterMsMax = 60_000;

/**
 * How many jobs of a vendor account this process asks about in one call: half as many after every call
 * without an answer, twice as many after one with. A job that makes a list fail ends up alone.
 */
const listSizes = new WeakMap<VendorJobs, number>();

/**
 * For callbacks that never come, and for vendors that have none: takes as many of the rows that are
 * due as the account's budget of the second allows, asks the vendor about them, and wakes only the
 * tasks whose job is over or has to be found.
 */
export async function watchVendor(ctx: Context, vendorAccount: string): Promise<void> {
  const jobs = jobsOf(ctx, vendorAccount);
  if (!(await takeTurn(ctx.db, vendorAccount, turnMs))) return;
  const rowsMax = jobs === null ? directMax : (listSizes.get(jobs) ?? jobs.looksPerSecond);
  const due = await takeDueLooks(ctx.db, vendorAccount, ctx.config.LOOK_FIRST_MS, rowsMax);
  if (due.length === 0) return;
  const rows = rowsOf(vendorAccount);
  const asked = due.filter(({ vendorJobId }) => vendorJobId !== null);
  const seen = jobs !== null && asked.length > 0 ? await lookAt(ctx, jobs, asked, rows) : null;
  const sightings = seen ?? new Map<string, Sighting>();
  const isWaiting = ({ vendorJobId }: DueLook) =>
    vendorJobId !== null && isUnchanged(sightings.get(vendorJobId));
  const waiting = due.filter(isWaiting);
  // Without an answer they come again as soon as taking them allows.
  const postponed = seen === null ? [] : waiting.map((task) => task.taskId);
  await postponeLooks(ctx.db, postponed, ctx.config.LOOK_FIRST_MS);
  const unsaved = await saveEach(ctx, due, sightings, rows);
  for (const task of due)
    if (!isWaiting(task) && !unsaved.has(task.taskId))
      ctx.waker.wake("generation", "look", task.taskId);
  ctx.log.info({
    event: "vendor.watched",
    vendorAccount,
    due: due.length,
    waiting: waiting.length,
    outcome: seen === null && asked.length > 0 ? "unavailable" : "listed",
  });
}

type DueLook = Awaited<ReturnType<typeof takeDueLooks>>[number];

function rowsOf(vendorAccount: string): RowLoop<DueLook> {
  return {
    loop: watchLoopOf(vendorAccount),
    keyOf: ({ taskId }) => taskId,
    accountOf: ({ accountId }) => accountId,
    atOnceMax: savesAtOnceMax,
    rowMsMax: saveMsMax,
    laterMsMax,
  };
}

/** What the vendor says about the jobs, or null when it says nothing. */
async function lookAt(
  ctx: Context,
  jobs: VendorJobs,
  asked: DueLook[],
  rows: RowLoop<DueLook>,
): Promise<Map<string, Sighting> | null> {
  const jobIds = asked.flatMap(({ vendorJobId }) => vendorJobId ?? []);
  let reason = "the vendor gives no answer about this job";
  const seen = await jobs.lookAtMany(jobIds).catch((error: unknown) => {
    reason = String(error);
    return "unavailable" as const;
  });
  if (seen !== "unavailable") {
    const size = listSizes.get(jobs) ?? jobs.looksPerSecond;
    listSizes.set(jobs, Math.min(jobs.looksPerSecond, 2 * size));
    noteSuccess(rows.loop);
    await forgetFailures(ctx.db, rows.loop, asked.map(rows.keyOf));
    return seen;
  }
  listSizes.set(jobs, Math.max(1, Math.floor(asked.length / 2)));
  if (asked.length === 1) await noteFailures(ctx, rows, asked, new Error(reason));
  return null;
}

/** Writes down the ends that were seen, all at once or, if that fails, each. Answers what could not be. */
async function saveEach(
  ctx: Context,
  due: DueLook[],
  sightings: Map<string, Sighting>,
  rows: RowLoop<DueLook>,
): Promise<Set<string>> {
  const ended = due.filter((task) => endSeen(task, sightings).length > 0);
  const save = (tasks: DueLook[]) =>
    saveEnds(
      ctx.pool,
      tasks.flatMap((task) => endSeen(task, sightings)),
    );
  try {
    await save(ended);
    return new Set();
  } catch (error) {
    if (isUnavailable(error)) throw error;
  }
  const saved = new Set(await eachRow(ctx, ended, rows, (task) => save([task])));
  return new Set(ended.filter((task) => !saved.has(task)).map((task) => task.taskId));
}

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
