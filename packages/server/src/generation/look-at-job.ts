import type { Context } from "../context.ts";
import type { FailureCode } from "../errors.ts";
import type { ModelRequest } from "../models/request.ts";
import {
  bindJob,
  findOpenTask,
  listSubmits,
  type OpenTask,
  postponeLooks,
  saveResultUrl,
} from "../tasks/queries.ts";
import { endUserOf, vendorOf } from "./submit-job.ts";

/** A job that can be the lost one was submitted this close to it. */
const lostWindowMs = 60_000;

export type Look =
  | { kind: "waiting" } // or over already: nothing to do now, the row says when to look again
  | { kind: "succeeded" } // the link is in the row: links stay out of the engine
  | { kind: "failed"; code: FailureCode };

/** Asks the vendor about a task's job and writes down what it says. */
export async function lookAtJob(ctx: Context, taskId: string): Promise<Look> {
  const task = await findOpenTask(ctx.db, taskId);
  if (task === undefined || task.submitStartedAt === null) return { kind: "waiting" };
  const jobId = task.vendorJobId ?? (await reconcile(ctx, task, task.submitStartedAt));
  if (jobId === null) return giveUpOrWait(ctx, task);
  const seen = await vendorOf(ctx, task).look(jobId);
  ctx.log.info({ event: "vendor.called", call: "look", taskId, outcome: seen.kind });
  switch (seen.kind) {
    case "succeeded":
      await saveResultUrl(ctx.db, taskId, seen.mediaUrl);
      return { kind: "succeeded" };
    case "failed":
      ctx.log.warn({ event: "vendor.failed", taskId, detail: seen.detail });
      return { kind: "failed", code: seen.code };
    case "missing":
      return { kind: "failed", code: "vendor_failed" };
    default:
      await postponeLooks(ctx.db, [taskId], ctx.config.LOOK_FIRST_MS);
      return { kind: "waiting" };
  }
}

/**
 * Finds the job of a submit whose answer was lost. Usually the vendor's own callback has told us by
 * now; otherwise a job of this caller from that moment that never belonged to any task must be ours,
 * if our submit is the only one of the caller's from then that has no explanation. Nothing is guessed.
 */
async function reconcile(ctx: Context, task: OpenTask, submittedAt: Date): Promise<string | null> {
  const { taskId, accountId } = task;
  const found = await vendorOf(ctx, task).findLost({
    request: task.request as ModelRequest,
    endUser: endUserOf(accountId),
    submittedAt,
  });
  if (found === "unavailable") return null;
  const submits = await listSubmits(ctx.db, accountId, submittedAt, {
    windowMs: lostWindowMs,
    ageMaxMs: ctx.config.VIDEO_AGE_MAX_MS,
  });
  const [unexplained, ...others] = submits.filter(
    ({ jobId, outcome }) => jobId === null && (outcome === null || outcome === "unknown"),
  );
  const isOurs =
    unexplained?.taskId === taskId && unexplained.startedAt.getTime() === submittedAt.getTime();
  const free = found.filter((jobId) => !submits.some((submit) => submit.jobId === jobId));
  const [jobId] = free;
  if (jobId === undefined || free.length > 1 || !isOurs || others.length > 0) return null;
  const lookMs = ctx.config.LOOK_FIRST_MS;
  const isBound = await bindJob(ctx.pool, { taskId, jobId, lookMs, submittedAt });
  ctx.log.info({ event: "submit.reconciled", taskId, isBound });
  return isBound ? jobId : null;
}

async function giveUpOrWait(ctx: Context, { taskId, submitAgeMs }: OpenTask): Promise<Look> {
  if (submitAgeMs !== null && submitAgeMs > ctx.config.SUBMIT_UNEXPLAINED_MS)
    return { kind: "failed", code: "vendor_unconfirmed" };
  await postponeLooks(ctx.db, [taskId], ctx.config.LOOK_FIRST_MS);
  return { kind: "waiting" };
}
