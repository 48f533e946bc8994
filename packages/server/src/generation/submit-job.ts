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
  const claim = await claimSubmit(ctx.db, taskId, graceMs);
  if (claim === undefined) return { kind: "settled" }; // another begin has it, or the task is over
  // Nothing that waits may come between claim and call: a crash there leaves a submit to explain.
  const result = await callVendor(ctx, task);
  const detail = "detail" in result ? result.detail : null;
  const vendorJobId = result.kind === "accepted" ? result.jobId : null;
  if (result.kind === "accepted")
    await bindJob(ctx.db, taskId, result.jobId, ctx.config.LOOK_FIRST_MS);
  if (result.kind === "throttled")
    await returnSubmit(ctx.db, taskId, claim.startedAt, result.retryAfterMs ?? againMs);
  if (result.kind === "unavailable") await returnSubmit(ctx.db, taskId, claim.startedAt, againMs);
  await recordSubmission(ctx.db, taskId, claim.startedAt, {
    outcome: result.kind,
    vendorJobId,
    detail,
  });
  return result.kind === "refused" ? { kind: "refused", code: result.code } : { kind: "settled" };
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
