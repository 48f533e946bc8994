import type { Context } from "../../context.ts";
import { isUnavailable } from "../../db/database.ts";
import { forgetFailures } from "../../db/stuck-rows.ts";
import { eachRow, noteFailures, noteSuccess, type RowLoop } from "../../flow/each-row.ts";
import type { TaskId } from "../../ids.ts";
import type { VendorsContext } from "../../tasks/context.ts";
import { claimPoll, hasDuePolls, takeDuePolls } from "../../tasks/queries.ts";
import { pollLoopOf } from "../../tasks/stuck-tasks.ts";
import { continueTrace } from "../../tracing/trace-context.ts";
import type { PollResult, VendorJobs } from "../../vendors/vendor.ts";
import { withCosts } from "../submit-costs.ts";
import { transition } from "../transition.ts";
import { countPoll, endOf, jobsOf } from "./poll-job.ts";

const pollEveryMs = 1_000;
const directMax = 100;

const saveMsMax = 15_000;
const savesAtOnceMax = 4;
const laterMsMax = 60_000;

/**
 * The number of jobs of a vendor account that this process polls in one call: halved after every failed
 * call, doubled after a successful one. A job that makes calls fail ends up alone.
 */
const listSizes = new WeakMap<VendorJobs, number>();

/**
 * The poller of a vendor account, for lost callbacks and vendors without callbacks. Takes due rows
 * within the vendor account's polls per second, polls their jobs, and wakes only the tasks whose job has
 * ended or has to be found.
 */
export async function pollVendor(ctx: VendorsContext, vendorAccount: string): Promise<void> {
  if (!(await hasDuePolls(ctx.pool, vendorAccount))) return;
  const jobs = jobsOf(ctx, vendorAccount);
  if (!(await claimPoll(ctx.db, vendorAccount, pollEveryMs))) return;
  const rowsMax = jobs === null ? directMax : (listSizes.get(jobs) ?? jobs.pollsPerSecond);
  const due = await takeDuePolls(ctx.db, vendorAccount, ctx.config.tasks.pollFirstMs, rowsMax);
  if (due.length === 0) return;
  const rows = rowsOf(vendorAccount);
  const asked = due.filter(({ vendorJobId }) => vendorJobId !== null);
  const seen = jobs !== null && asked.length > 0 ? await pollJobs(ctx, jobs, asked, rows) : null;
  const results = seen ?? new Map<string, PollResult>();
  for (const { taskId, vendorJobId, traceparent } of asked) {
    const result = results.get(vendorJobId ?? "") ?? unanswered;
    continueTrace(traceparent, () => countPoll(ctx, vendorAccount, taskId, result));
  }
  const isWaiting = ({ vendorJobId }: DuePoll) =>
    vendorJobId !== null && isUnchanged(results.get(vendorJobId));
  const waiting = due.filter(isWaiting);
  // Without a result they are due again as soon as possible.
  const postponed = seen === null ? [] : waiting.map((task) => task.taskId);
  const afterMs = ctx.config.tasks.pollFirstMs;
  await transition(ctx, "unchanged", { taskIds: postponed, afterMs });
  const unsaved = await saveEach(ctx, due, results, rows);
  for (const task of due)
    if (!isWaiting(task) && !unsaved.has(task.taskId))
      continueTrace(task.traceparent, () => ctx.waker.wake("generation", "poll", task.taskId));
  ctx.log.info({
    event: "vendor.polled",
    vendorAccount,
    due: due.length,
    waiting: waiting.length,
    outcome: seen === null && asked.length > 0 ? "unavailable" : "listed",
  });
}

const unanswered: PollResult = { kind: "unavailable", detail: "" };

type DuePoll = Awaited<ReturnType<typeof takeDuePolls>>[number];

function rowsOf(vendorAccount: string): RowLoop<DuePoll> {
  return {
    loop: pollLoopOf(vendorAccount),
    keyOf: ({ taskId }) => taskId,
    accountOf: ({ accountId }) => accountId,
    atOnceMax: savesAtOnceMax,
    rowMsMax: saveMsMax,
    laterMsMax,
  };
}

/** The results of the jobs, or null if the vendor did not respond. */
async function pollJobs(
  ctx: Context,
  jobs: VendorJobs,
  asked: DuePoll[],
  rows: RowLoop<DuePoll>,
): Promise<Map<string, PollResult> | null> {
  const jobIds = asked.flatMap(({ vendorJobId }) => vendorJobId ?? []);
  let reason = "the vendor did not report on this job";
  const seen = await jobs.pollMany(jobIds).catch((error: unknown) => {
    reason = String(error);
    return "unavailable" as const;
  });
  if (seen !== "unavailable") {
    const size = listSizes.get(jobs) ?? jobs.pollsPerSecond;
    listSizes.set(jobs, Math.min(jobs.pollsPerSecond, 2 * size));
    noteSuccess(ctx, rows.loop);
    await forgetFailures(ctx.db, rows.loop, asked.map(rows.keyOf));
    return seen;
  }
  listSizes.set(jobs, Math.max(1, Math.floor(asked.length / 2)));
  if (asked.length === 1) await noteFailures(ctx, rows, asked, new Error(reason));
  return null;
}

/** Records the ended jobs in one statement or, if that fails, one by one. Returns those that failed. */
async function saveEach(
  ctx: VendorsContext,
  due: DuePoll[],
  results: Map<string, PollResult>,
  rows: RowLoop<DuePoll>,
): Promise<Set<TaskId>> {
  const ended = due.filter((task) => endSeen(task, results).length > 0);
  const save = async (tasks: DuePoll[]) => {
    const ends = tasks.flatMap((task) => endSeen(task, results));
    return transition(ctx, "ended", await withCosts(ctx, ends));
  };
  try {
    await save(ended);
    return new Set();
  } catch (error) {
    if (isUnavailable(error)) throw error;
  }
  const saved = new Set(await eachRow(ctx, ended, rows, (task) => save([task])));
  return new Set(ended.filter((task) => !saved.has(task)).map((task) => task.taskId));
}

/** Still running, or unreachable: no reason to wake the task. */
function isUnchanged(seen: PollResult | undefined): boolean {
  return seen === undefined || seen.kind === "waiting" || seen.kind === "unavailable";
}

/** An end found in a batch is not polled again, unless the list omits the link of the output. */
function endSeen({ taskId, vendorJobId }: DuePoll, results: Map<string, PollResult>) {
  const seen = vendorJobId === null ? undefined : results.get(vendorJobId);
  if (seen?.kind === "succeeded") return [endOf(taskId, seen)];
  return seen?.kind === "failed" && seen.code !== "output_unusable" ? [endOf(taskId, seen)] : [];
}
