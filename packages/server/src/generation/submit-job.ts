import assert from "node:assert";
import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import type { FailureCode } from "../errors.ts";
import type { ModelRequest } from "../models/request.ts";
import {
  bindJob,
  claimSubmit,
  findOpenTask,
  type OpenTask,
  recordSubmission,
  returnSubmit,
} from "../tasks/queries.ts";
import type { SubmitResult, Vendor } from "../vendors/vendor.ts";
import { callbackToken } from "./callback-token.ts";

const againMs = 5_000;
const graceAfterTimeoutMs = 5_000;

export type Submission = { kind: "settled" } | { kind: "refused"; code: FailureCode };

/**
 * Submits a task to its vendor, once. The intent is in the row before the call and the vendor's id
 * after it; a call whose answer was lost is left for `lookAtJob` to reconcile and never repeated.
 */
export async function submitJob(ctx: Context, taskId: string): Promise<Submission> {
  const graceMs = ctx.config.SUBMIT_TIMEOUT_MS + graceAfterTimeoutMs;
  const task = await findOpenTask(ctx.db, taskId);
  if (task === undefined) return { kind: "settled" };
  if (!isServed(ctx, task)) return { kind: "refused", code: "vendor_unavailable" };
  const claimedAt = performance.now();
  const claim = await claimSubmit(ctx.pool, taskId, graceMs);
  if (claim === undefined) return { kind: "settled" }; // another begin has it, or the task is over
  const { startedAt } = claim;
  // Nothing that waits may come between claim and call: a crash there leaves a submit to explain, and
  // a process that was stopped there for long would call when others have explained it already.
  const isStale = performance.now() - claimedAt > graceAfterTimeoutMs;
  const result: SubmitResult = isStale
    ? { kind: "unavailable", detail: "this process was stopped for too long before the call" }
    : await callVendor(ctx, task);
  await noteResult(ctx, taskId, startedAt, result);
  return result.kind === "refused" ? { kind: "refused", code: result.code } : { kind: "settled" };
}

async function noteResult(
  ctx: Context,
  taskId: string,
  startedAt: Date,
  result: SubmitResult,
): Promise<void> {
  if (result.kind === "accepted") {
    const { jobId } = result;
    const lookMs = ctx.config.LOOK_FIRST_MS;
    const answer = { taskId, jobId, lookMs, submittedAt: startedAt, isAnswer: true };
    if (await bindJob(ctx.pool, answer)) return;
  }
  if (result.kind === "throttled")
    await returnSubmit(ctx.db, taskId, startedAt, result.retryAfterMs ?? againMs);
  if (result.kind === "unavailable") await returnSubmit(ctx.db, taskId, startedAt, againMs);
  await recordSubmission(ctx.db, taskId, startedAt, {
    outcome: result.kind,
    vendorJobId: result.kind === "accepted" ? result.jobId : null,
    detail: "detail" in result ? result.detail : null,
  });
}

/** Whether this deployment has what the task needs: better no film than half of what was paid for. */
function isServed(ctx: Context, task: OpenTask): boolean {
  const { model, ...request } = task.request as ModelRequest;
  const needsUpscale = "upscaleResolution" in request && request.upscaleResolution !== null;
  if (ctx.vendors.has(task.vendorAccount) && !needsUpscale) return true;
  ctx.log.warn({ event: "task.not_served", taskId: task.taskId, model, needsUpscale });
  return false;
}

async function callVendor(ctx: Context, task: OpenTask): Promise<SubmitResult> {
  const startedAt = Date.now();
  const { taskId, vendorAccount } = task;
  const token = callbackToken(ctx.config.VENDOR_CALLBACK_SECRET, taskId);
  const result = await vendorOf(ctx, task).submit({
    request: task.request as ModelRequest,
    callbackUrl: `${ctx.config.PUBLIC_URL}/vendors/${vendorAccount}/${taskId}/${token}`,
    secondsMax: Math.ceil((task.deadlineAt.getTime() - startedAt) / 1000),
    endUser: endUserOf(task.accountId),
  });
  ctx.log.info({
    event: "vendor.called",
    call: "submit",
    taskId,
    vendorAccount,
    outcome: result.kind,
    durationMs: Date.now() - startedAt,
  });
  return result;
}

export function vendorOf(ctx: Context, task: { vendorAccount: string }): Vendor {
  const vendor = ctx.vendors.get(task.vendorAccount);
  assert(vendor !== undefined, `no vendor account ${task.vendorAccount}`);
  return vendor;
}

export function endUserOf(accountId: string): string {
  return createHash("sha256").update(`end user ${accountId}`).digest("hex");
}
