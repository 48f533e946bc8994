import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import type { StoredMedia } from "../db/schema.ts";
import type { FailureCode } from "../errors.ts";
import { mediaUrl } from "../media/media-url.ts";
import { readObject } from "../media/read-object.ts";
import type { MediaRef } from "../models/request.ts";
import { findOpenTask, type OpenTask, postponeBegin } from "../tasks/queries.ts";
import { bindJob, claimSubmit, recordSubmission, returnSubmit } from "../tasks/submit-queries.ts";
import { routeOf, type VendorAccount } from "../vendors/accounts.ts";
import type { InputFile, SubmitResult } from "../vendors/vendor.ts";
import { callbackToken } from "./callback-token.ts";
import { storePicture } from "./store-picture.ts";
import { type TaskFiles, takeInputs } from "./take-inputs.ts";

const againMs = 5_000;
/** How long a submit that was given up may still be at work on its own side. */
const graceAfterTimeoutMs = 5_000;
/** A vendor that answers with the result: storing it belongs to the submit. */
const storeMsMax = 60_000;
/** Of a picture that a vendor is sent: no model takes a larger one. */
const pictureBytesMax = 50 * 1024 * 1024;

export type Submission =
  | { kind: "settled" } // with a vendor, or with nobody yet: the row says when to go on
  | { kind: "delivered"; media: StoredMedia }
  | { kind: "failed"; code: FailureCode; message?: string };

const settled: Submission = { kind: "settled" };

/**
 * Submits a task to the first vendor account that takes it. The intent is in the row before each call
 * and the vendor's id after it. Only a submit that is proven not accepted moves on to the next
 * account; one whose answer was lost is left for `lookAtJob` to reconcile and never repeated.
 */
export async function submitJob(ctx: Context, taskId: string): Promise<Submission> {
  const task = await findOpenTask(ctx.db, taskId);
  if (task === undefined || task.submitStartedAt !== null) return settled;
  const route = routeOf(ctx.vendors, { ...task, model: task.request.model });
  if (route.length === 0) {
    ctx.log.warn({ event: "task.not_served", taskId, model: task.request.model });
    return { kind: "failed", code: "vendor_unavailable" };
  }
  const files = await takeInputs(ctx, task);
  if ("kind" in files) return files;
  const isAnyDirect = route.some(({ vendor }) => vendor.takesFiles);
  const bytes = isAnyDirect ? await readFiles(ctx, files) : new Map<MediaRef, InputFile>();

  let isHopeless = true;
  for (const account of route) {
    if (ctx.breaker.isOpen(account.name)) {
      isHopeless = false;
      continue;
    }
    const attempt = () => submitTo(ctx, task, account, { files, bytes });
    const outcome =
      account.vendor.jobs === null ? await ctx.directSlots.use(attempt) : await attempt();
    if (outcome.kind !== "moves on") return outcome;
    isHopeless &&= outcome.isHopeless;
  }
  if (isHopeless) return { kind: "failed", code: "vendor_unavailable" };
  await postponeBegin(ctx.db, taskId, againMs);
  return settled;
}

type Attempt = Submission | { kind: "moves on"; isHopeless: boolean };

async function submitTo(
  ctx: Context,
  task: OpenTask,
  account: VendorAccount,
  inputs: Inputs,
): Promise<Attempt> {
  const { taskId } = task;
  const { submitMsMax, jobs } = account.vendor;
  const claimedAt = performance.now();
  const claim = await claimSubmit(ctx.pool, {
    taskId,
    vendorAccount: account.name,
    graceMs: submitMsMax + graceAfterTimeoutMs + (jobs === null ? storeMsMax : 0),
    isAtWork: jobs === null,
  });
  if (claim === undefined) return settled; // another begin has it, or the task is over
  if (jobs === null) ctx.changes.announce(taskId);
  const { startedAt } = claim;
  // Nothing that waits may come between claim and call: a crash there leaves a submit to explain, and
  // a process that was stopped there for long would call when others have explained it already.
  const isStale = performance.now() - claimedAt > graceAfterTimeoutMs;
  const result: SubmitResult = isStale
    ? { kind: "unavailable", detail: "this process was stopped for too long before the call" }
    : await callVendor(ctx, task, account, inputs);
  ctx.breaker.note(account.name, result);
  return noteResult(ctx, task, { startedAt, isDirect: jobs === null }, result);
}

async function noteResult(
  ctx: Context,
  { taskId }: OpenTask,
  { startedAt, isDirect }: { startedAt: Date; isDirect: boolean },
  result: SubmitResult,
): Promise<Attempt> {
  switch (result.kind) {
    case "accepted": {
      const { jobId } = result;
      const lookMs = ctx.config.LOOK_FIRST_MS;
      const answer = { taskId, jobId, lookMs, submittedAt: startedAt, isAnswer: true };
      if (await bindJob(ctx.pool, answer)) {
        ctx.changes.announce(taskId);
        return settled;
      }
      await recordSubmission(ctx.db, {
        taskId,
        startedAt,
        outcome: "accepted",
        vendorJobId: jobId,
      });
      return settled;
    }
    case "delivered":
      await recordSubmission(ctx.db, { taskId, startedAt, outcome: "delivered" });
      return storePicture(ctx, taskId, result.bytes);
    case "unknown":
      await recordSubmission(ctx.db, {
        taskId,
        startedAt,
        outcome: "unknown",
        detail: result.detail,
      });
      // What came with the answer is lost with it. A job may still be found.
      return isDirect ? { kind: "failed", code: "vendor_unconfirmed" } : settled;
    default: {
      const { kind: outcome, detail } = result;
      const afterMs = outcome === "throttled" ? (result.retryAfterMs ?? againMs) : againMs;
      await returnSubmit(ctx.pool, { taskId, startedAt, againMs: afterMs, outcome, detail });
      if (outcome !== "refused") return { kind: "moves on", isHopeless: false };
      // What one account's key or balance cannot do, another's may. Bad input is bad everywhere.
      if (result.code === "vendor_unavailable") return { kind: "moves on", isHopeless: true };
      return { kind: "failed", code: result.code };
    }
  }
}

async function callVendor(
  ctx: Context,
  task: OpenTask,
  account: VendorAccount,
  inputs: Inputs,
): Promise<SubmitResult> {
  const startedAt = Date.now();
  const { taskId } = task;
  const token = callbackToken(ctx.config.VENDOR_CALLBACK_SECRET, taskId);
  const result = await account.vendor.submit({
    request: task.request,
    callbackUrl: `${ctx.config.PUBLIC_URL}/vendors/${account.name}/${taskId}/${token}`,
    secondsMax: Math.ceil((task.deadlineAt.getTime() - startedAt) / 1000),
    endUser: endUserOf(task.accountId),
    linkOf: (ref) => linkOf(ctx, account, inputs.files, ref),
    fileOf(ref) {
      const file = inputs.bytes.get(ref);
      if (file === undefined) throw new Error("this vendor was not said to take files");
      return file;
    },
  });
  ctx.log.info({
    event: "vendor.called",
    call: "submit",
    taskId,
    vendorAccount: account.name,
    outcome: result.kind,
    durationMs: Date.now() - startedAt,
  });
  return result;
}

interface Inputs {
  files: TaskFiles;
  bytes: Map<MediaRef, InputFile>;
}

/** The vendor that reviewed an asset knows it by an id of its own; everything else is a link of ours. */
function linkOf(ctx: Context, account: VendorAccount, files: TaskFiles, ref: MediaRef): string {
  const file = files.get(ref);
  if (account.knowsAssets && file?.vendorAssetId) return `asset://${file.vendorAssetId}`;
  if (file?.key) return mediaUrl(ctx.config.PUBLIC_URL, file.key);
  return "asset" in ref ? `asset://${ref.asset}` : ref.url;
}

async function readFiles(ctx: Context, files: TaskFiles): Promise<Map<MediaRef, InputFile>> {
  const bytes = new Map<MediaRef, InputFile>();
  for (const [ref, { key, contentType }] of files)
    if (key !== null)
      bytes.set(ref, { bytes: await readObject(ctx.storage, key, pictureBytesMax), contentType });
  return bytes;
}

export function endUserOf(accountId: string): string {
  return createHash("sha256").update(`end user ${accountId}`).digest("hex");
}
