import type { Context } from "../context.ts";
import type { FailureCode } from "../errors.ts";
import type { VideoRequest } from "../models/video-request.ts";
import {
  bindJob,
  countUnbound,
  findOpenTask,
  listBoundJobs,
  type OpenTask,
  postponeLook,
  saveResultUrl,
} from "../tasks/queries.ts";
import { endUserOf, vendorOf } from "./submit-job.ts";

/** How long a submit without an answer may stay unexplained before the task is given up. */
const unexplainedMsMax = 60_000;

export type Look =
  | { kind: "waiting" } // or over already: nothing to do now, the row says when to look again
  | { kind: "succeeded" } // the link is in the row: links stay out of the engine
  | { kind: "failed"; code: FailureCode };

/** Asks the vendor about a task's job and writes down what it says. */
export async function lookAtJob(ctx: Context, taskId: string): Promise<Look> {
  const task = await findOpenTask(ctx.db, taskId);
  if (task === undefined || task.submitStartedAt === null) return { kind: "waiting" };
  const jobId = task.vendorJobId ?? (await reconcile(ctx, task, task.submitStartedAt));
  if (jobId === null) return giveUpOrWait(ctx, taskId, task.submitStartedAt);
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
      await postponeLook(ctx.db, taskId, ctx.config.LOOK_FIRST_MS);
      return { kind: "waiting" };
  }
}

/**
 * Finds the job of a submit whose answer was lost. Usually the vendor's own callback has told us by
 * now; otherwise a job of this caller from that moment that belongs to no other task must be ours,
 * unless two of the caller's tasks are in this state: then nothing is guessed.
 */
async function reconcile(ctx: Context, task: OpenTask, submittedAt: Date): Promise<string | null> {
  const { taskId, accountId, vendorAccount } = task;
  const found = await vendorOf(ctx, task).findLost({
    request: task.request as VideoRequest,
    endUser: endUserOf(accountId),
    submittedAt,
  });
  if (found === "unavailable") return null;
  const bound = await listBoundJobs(ctx.db, vendorAccount, found);
  const free = found.filter((jobId) => !bound.includes(jobId));
  const [jobId] = free;
  if (jobId === undefined || free.length > 1 || (await countUnbound(ctx.db, accountId)) > 1)
    return null;
  const isBound = await bindJob(ctx.db, taskId, jobId, ctx.config.LOOK_FIRST_MS);
  ctx.log.info({ event: "submit.reconciled", taskId, isBound });
  return isBound ? jobId : null;
}

async function giveUpOrWait(ctx: Context, taskId: string, submittedAt: Date): Promise<Look> {
  if (Date.now() - submittedAt.getTime() > unexplainedMsMax)
    return { kind: "failed", code: "vendor_unconfirmed" };
  await postponeLook(ctx.db, taskId, ctx.config.LOOK_FIRST_MS);
  return { kind: "waiting" };
}
