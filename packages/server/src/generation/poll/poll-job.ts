import assert from "node:assert";
import type { Context } from "../../context.ts";
import { secondsSince, type TaskId } from "../../ids.ts";
import type { VendorsContext } from "../../tasks/context.ts";
import { findOpenTask, type OpenTask } from "../../tasks/open-task-queries.ts";
import { listSubmits, listTakenJobs } from "../../tasks/submit-queries.ts";
import { upscalerAccount } from "../../upscale/validate-source.ts";
import type { PollResult, VendorJobs } from "../../vendors/vendor.ts";
import { endUserOf } from "../submit/call-vendor.ts";
import { withCosts } from "../submit-costs.ts";
import { recordedEnd, type StepResult, transition, waiting } from "../transition.ts";

/** A new job may not be visible at the vendor immediately. */
const missingMsMax = 10 * 60_000;
/** A job can be the lost one only if it was submitted this close to it. */
const lostWindowMs = 60_000;

/** Long enough for several heartbeats of a worker. */
const silentMs = 30_000;

export type PollOutcome =
  | StepResult
  | { kind: "upscaling" } // its video is stored and being upscaled
  | { kind: "succeeded" }; // the link is in the row: links stay out of the engine

/** Polls the vendor about a task's job and records the result. */
export async function pollJob(ctx: VendorsContext, taskId: TaskId): Promise<PollOutcome> {
  const task = await findOpenTask(ctx.db, taskId);
  if (task === undefined || task.submitStartedAt === null) return waiting;
  // A job that this database does not know of yet must not be taken for lost.
  if (await ctx.fence.isBehind()) return waiting;
  if (task.vendorAccount === upscalerAccount) return { kind: "upscaling" };
  // The poller may have recorded the end already, from a call about many jobs.
  if (task.resultUrl !== null) return { kind: "succeeded" };
  const end = recordedEnd(task);
  if (end !== undefined) return end;
  const jobs = jobsOf(ctx, task.vendorAccount);
  if (jobs === null) return giveUpDirect(ctx, task);
  const jobId = task.vendorJobId ?? (await reconcile(ctx, jobs, task, task.submitStartedAt));
  if (jobId === "undecided") return waitFor(ctx, taskId, ctx.config.tasks.pollFirstMs);
  if (jobId === null) return giveUpOrWait(ctx, jobs, task);
  const seen = await jobs.poll(jobId);
  ctx.log.info({ event: "vendor.called", call: "poll", taskId, outcome: seen.kind });
  countPoll(ctx, task.vendorAccount, taskId, seen);
  switch (seen.kind) {
    case "succeeded":
      await transition(ctx, "ended", await withCosts(ctx, [endOf(taskId, seen)]));
      return { kind: "succeeded" };
    case "failed":
      await transition(ctx, "ended", await withCosts(ctx, [endOf(taskId, seen)]));
      return { kind: "failed", code: seen.code };
    case "missing":
      if (task.submitAgeMs !== null && task.submitAgeMs > missingMsMax)
        return { kind: "failed", code: "vendor_failed" };
      break;
  }
  return waitFor(ctx, taskId, ctx.config.tasks.pollFirstMs);
}

async function waitFor(ctx: Context, taskId: TaskId, afterMs: number): Promise<StepResult> {
  await transition(ctx, "unchanged", { taskIds: [taskId], afterMs });
  return waiting;
}

/** An end is usually seen once: the row has it from then on. */
export function countPoll(
  { metrics }: Context,
  vendorAccount: string,
  taskId: TaskId,
  seen: PollResult,
): void {
  const labels = { vendor_account: vendorAccount };
  metrics.vendorPolls.add({ ...labels, outcome: seen.kind });
  if (seen.kind === "succeeded" || seen.kind === "failed")
    metrics.taskVendorEndSeconds.record(secondsSince(taskId), labels);
}

/** Returns the end of a job as it is recorded. */
export function endOf(taskId: TaskId, seen: Extract<PollResult, { kind: "succeeded" | "failed" }>) {
  const { usage } = seen;
  return seen.kind === "succeeded"
    ? { taskId, resultUrl: seen.mediaUrl, failureCode: null, detail: null, usage }
    : { taskId, resultUrl: null, failureCode: seen.code, detail: seen.detail, usage };
}

/** Returns the calls about jobs of a vendor account. */
export function jobsOf(ctx: VendorsContext, name: string): VendorJobs | null {
  const vendorAccount = ctx.vendors.get(name);
  assert(vendorAccount !== undefined, `no vendor account ${name}`);
  return vendorAccount.vendor.jobs;
}

/**
 * Finds the job of a submit whose response was lost. Usually the vendor's callback has delivered its
 * id by now. Otherwise a job from that moment that belongs to no task must be it, provided that this
 * submit is the only unexplained one of that time with the same caller or prompt, whichever the vendor
 * distinguishes jobs by. Nothing is guessed.
 */
async function reconcile(
  ctx: Context,
  jobs: VendorJobs,
  task: OpenTask,
  submittedAt: Date,
): Promise<string | "undecided" | null> {
  const { taskId, accountId, vendorAccount, request } = task;
  const around = {
    vendorAccount,
    at: submittedAt,
    windowMs: lostWindowMs,
    ageMaxMs: ctx.config.tasks.videoAgeMaxMs,
  };
  const endUser = endUserOf(accountId);
  const takenBefore = new Set(await listTakenJobs(ctx.db, around));
  const found = await jobs.findLost({ request, endUser, submittedAt, taken: takenBefore });
  if (found === "undecided") return found;
  if (found === "unavailable") return null;
  const whose =
    jobs.matchLostBy === "prompt"
      ? { by: "prompt" as const, prompt: request.prompt }
      : { by: "account" as const, accountId };
  const submits = await listSubmits(ctx.db, { ...around, ...whose });
  const [unexplained, ...others] = submits.filter(
    ({ jobId, outcome }) => jobId === null && (outcome === null || outcome === "unknown"),
  );
  const isOurs =
    unexplained?.taskId === taskId && unexplained.startedAt.getTime() === submittedAt.getTime();
  // Read last: what was submitted during the call is unexplained above or taken here, never neither.
  const taken = new Set(await listTakenJobs(ctx.db, around));
  const free = found.filter((jobId) => !taken.has(jobId));
  const [jobId] = free;
  if (jobId === undefined || free.length > 1 || !isOurs || others.length > 0) return null;
  const isBound = await transition(ctx, "found", { taskId, accountId, jobId, submittedAt });
  ctx.log.info({ event: "submit.reconciled", taskId, isBound });
  return isBound ? jobId : null;
}

/**
 * The response to such a submit is the output, so there is no job to poll. Its worker sends
 * heartbeats; after an outage of the database it gets time to send the next one.
 */
async function giveUpDirect(ctx: Context, { taskId, steps }: OpenTask): Promise<StepResult> {
  if (steps > 0) return { kind: "failed", code: "vendor_unconfirmed" };
  return waitFor(ctx, taskId, silentMs);
}

/**
 * Gives up, or waits for the worker that submitted: after an outage of the database it may still write the
 * response.
 */
async function giveUpOrWait(
  ctx: Context,
  { lostMsMax }: VendorJobs,
  { taskId, submitAgeMs, steps }: OpenTask,
): Promise<StepResult> {
  const isLost = submitAgeMs !== null && submitAgeMs > lostMsMax;
  if (isLost && steps > 0) return { kind: "failed", code: "vendor_unconfirmed" };
  return waitFor(ctx, taskId, isLost ? silentMs : ctx.config.tasks.pollFirstMs);
}
