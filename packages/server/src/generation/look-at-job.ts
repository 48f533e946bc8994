import assert from "node:assert";
import type { Context } from "../context.ts";
import type { StoredMedia } from "../db/schema.ts";
import type { FailureCode } from "../errors.ts";
import { findOpenTask, type OpenTask, postponeLooks, saveEnds } from "../tasks/queries.ts";
import { bindJob, listSubmits, listTakenJobs } from "../tasks/submit-queries.ts";
import { upscalerAccount } from "../upscale/validate-source.ts";
import type { Sighting, VendorJobs } from "../vendors/vendor.ts";
import { endUserOf } from "./call-vendor.ts";

/** A vendor may know a new job a little later everywhere. */
const missingMsMax = 10 * 60_000;
/** A job that can be the lost one was submitted this close to it. */
const lostWindowMs = 60_000;

/** Several signs of life of a worker fit into it. */
const silentMs = 30_000;

export type Look =
  | { kind: "waiting" } // or over already: nothing to do now, the row says when to look again
  | { kind: "upscaling" } // its film is here and is made larger
  | { kind: "delivered"; media: StoredMedia } // it came with the answer and is stored
  | { kind: "succeeded" } // the link is in the row: links stay out of the engine
  | { kind: "failed"; code: FailureCode };

/** Asks the vendor about a task's job and writes down what it says. */
export async function lookAtJob(ctx: Context, taskId: string): Promise<Look> {
  const task = await findOpenTask(ctx.db, taskId);
  if (task === undefined || task.submitStartedAt === null) return { kind: "waiting" };
  if (task.vendorAccount === upscalerAccount) return { kind: "upscaling" };
  // The watcher may have seen the end already, in a call about many.
  if (task.resultUrl !== null) return { kind: "succeeded" };
  if (task.failureCode !== null) return { kind: "failed", code: task.failureCode };
  if (task.delivered !== null) return { kind: "delivered", media: task.delivered };
  const jobs = jobsOf(ctx, task.vendorAccount);
  if (jobs === null) return giveUpDirect(ctx, task);
  const jobId = task.vendorJobId ?? (await reconcile(ctx, jobs, task, task.submitStartedAt));
  if (jobId === "undecided") {
    await postponeLooks(ctx.db, [taskId], ctx.config.LOOK_FIRST_MS);
    return { kind: "waiting" };
  }
  if (jobId === null) return giveUpOrWait(ctx, jobs, task);
  const seen = await jobs.look(jobId);
  ctx.log.info({ event: "vendor.called", call: "look", taskId, outcome: seen.kind });
  switch (seen.kind) {
    case "succeeded":
      await saveEnds(ctx.pool, [endOf(taskId, seen)]);
      return { kind: "succeeded" };
    case "failed":
      await saveEnds(ctx.pool, [endOf(taskId, seen)]);
      return { kind: "failed", code: seen.code };
    case "missing":
      if ((task.submitAgeMs ?? 0) > missingMsMax) return { kind: "failed", code: "vendor_failed" };
      break;
  }
  await postponeLooks(ctx.db, [taskId], ctx.config.LOOK_FIRST_MS);
  return { kind: "waiting" };
}

/** How a job ended, as it is written down. */
export function endOf(taskId: string, seen: Extract<Sighting, { kind: "succeeded" | "failed" }>) {
  return seen.kind === "succeeded"
    ? { taskId, resultUrl: seen.mediaUrl, failureCode: null, detail: null }
    : { taskId, resultUrl: null, failureCode: seen.code, detail: seen.detail };
}

/** The calls about jobs of a vendor account. */
export function jobsOf(ctx: Context, vendorAccount: string): VendorJobs | null {
  const account = ctx.vendors.get(vendorAccount);
  assert(account !== undefined, `no vendor account ${vendorAccount}`);
  return account.vendor.jobs;
}

/**
 * Finds the job of a submit whose answer was lost. Usually the vendor's own callback has told us by
 * now; otherwise a job from that moment that never belonged to any task must be ours, if our submit
 * is the only one from then without an explanation: of this caller's or of this prompt's, by whatever
 * the vendor tells jobs apart. Nothing is guessed.
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
    ageMaxMs: ctx.config.VIDEO_AGE_MAX_MS,
  };
  const endUser = endUserOf(accountId);
  const takenBefore = new Set(await listTakenJobs(ctx.db, around));
  const found = await jobs.findLost({ request, endUser, submittedAt, taken: takenBefore });
  if (found === "undecided") return found;
  if (found === "unavailable") return null;
  const whose = jobs.lostAreToldBy === "prompt" ? { prompt: request.prompt } : { accountId };
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
  const lookMs = ctx.config.LOOK_FIRST_MS;
  const isBound = await bindJob(ctx.pool, { taskId, jobId, lookMs, submittedAt });
  if (isBound) ctx.changes.announce(taskId);
  ctx.log.info({ event: "submit.reconciled", taskId, isBound });
  return isBound ? jobId : null;
}

/**
 * The answer to such a submit is the result, so there is nobody to ask. Its worker says that it lives;
 * where the database was away, it is given the time to say so again.
 */
async function giveUpDirect(ctx: Context, { taskId, steps }: OpenTask): Promise<Look> {
  if (steps > 0) return { kind: "failed", code: "vendor_unconfirmed" };
  await postponeLooks(ctx.db, [taskId], silentMs);
  return { kind: "waiting" };
}

async function giveUpOrWait(
  ctx: Context,
  { lostMsMax }: VendorJobs,
  { taskId, submitAgeMs }: OpenTask,
): Promise<Look> {
  if (submitAgeMs !== null && submitAgeMs > lostMsMax)
    return { kind: "failed", code: "vendor_unconfirmed" };
  await postponeLooks(ctx.db, [taskId], ctx.config.LOOK_FIRST_MS);
  return { kind: "waiting" };
}
