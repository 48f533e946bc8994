import { createHash, randomUUID } from "node:crypto";
import type { Context } from "../../context.ts";
import { isUnavailable } from "../../db/database.ts";
import { type AccountId, secondsSince } from "../../ids.ts";
import { fitFile } from "../../media/image/fit-file.ts";
import { vendorUrl } from "../../media/storage/signed-link.ts";
import type { MediaRef } from "../../models/request.ts";
import { abandonClaim } from "../../tasks/abandon-claim.ts";
import type { OpenTask } from "../../tasks/open-task-queries.ts";
import { noteSick, noteThrottle, noteWell } from "../../tasks/throttle-queries.ts";
import { failuresMax, healthOf } from "../../vendors/breaker.ts";
import type { SubmitResult, VendorAccount, VendorJob } from "../../vendors/vendor.ts";
import type { GenerationContext } from "../context.ts";
import { callbackToken } from "../poll/callback-token.ts";
import { claimWithin, settleCredits } from "./claim-within.ts";
import type { TaskFiles } from "./take-inputs.ts";
import { untilDeadline } from "./until-deadline.ts";

/** How long an abandoned submit may still be running in its own process. */
const graceAfterTimeoutMs = 5_000;
/** A vendor that returns the output in its response: storing it is part of the submit. */
const storeMsMax = 60_000;

export interface Inputs {
  files: TaskFiles;
  /** Local copies by storage key, for vendors that accept files. */
  paths: ReadonlyMap<string, string>;
}

/** How long a claim stands without a heartbeat. */
export function graceMsOf({ submitMsMax, jobs }: VendorAccount["vendor"]): number {
  return submitMsMax + graceAfterTimeoutMs + (jobs === null ? storeMsMax : 0);
}

/**
 * Claims the submit and calls the vendor. Undefined: another submit has the claim, or the task has
 * ended. Throws `AccountFull` when the account's limits are reached. `onClaim` is called between claim and call.
 */
export async function claimAndCall(
  ctx: GenerationContext,
  task: OpenTask,
  account: VendorAccount,
  inputs: Inputs,
  onClaim: (startedAt: Date) => void = () => {},
): Promise<{ startedAt: Date; result: SubmitResult } | undefined> {
  const { taskId } = task;
  const isDirect = account.vendor.jobs === null;
  const claimedAt = performance.now();
  const claim = await claimOrAbandon(ctx, task, account);
  if (claim === undefined) return undefined;
  const { startedAt } = claim;
  onClaim(startedAt);
  if (isDirect) ctx.changes.announce(taskId, task.accountId);
  // Nothing that waits may come between claim and call: a crash there leaves a submit to explain, and
  // a process that was stopped there for long would call when others have explained it already.
  const isStale = performance.now() - claimedAt > graceAfterTimeoutMs;
  const result: SubmitResult = isStale
    ? {
        kind: "unavailable",
        detail: "the process was suspended for too long before the call",
        isOurs: true,
      }
    : await callVendor(ctx, task, account, inputs);
  countSubmit(ctx, task, account.name, result);
  await notePace(ctx, account.name, result);
  await settleCredits(ctx, account, task, result);
  return { startedAt, result };
}

/** A claim that may have been made although nothing says so is given back: only we know that nobody calls. */
async function claimOrAbandon(ctx: GenerationContext, task: OpenTask, account: VendorAccount) {
  const { taskId } = task;
  const { name: vendorAccount, vendor } = account;
  const claimId = randomUUID();
  const graceMs = graceMsOf(vendor);
  const claim = { taskId, vendorAccount, graceMs, isAtWork: vendor.jobs === null, claimId };
  try {
    return await claimWithin(ctx, account, task, claim);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const abandon = () => abandonClaim(ctx.pool, { taskId, claimId });
    const wasMade = await untilDeadline(ctx, task, "abandon the claim", abandon);
    if (wasMade) await settleCredits(ctx, account, task, { kind: "unavailable" });
    throw error;
  }
}

function countSubmit(ctx: Context, task: OpenTask, vendorAccount: string, result: SubmitResult) {
  const { metrics } = ctx;
  metrics.vendorSubmits.add({ vendor_account: vendorAccount, outcome: result.kind });
  if (result.requestsLeft !== undefined)
    metrics.vendorRequestsLeft.set(result.requestsLeft, { vendor_account: vendorAccount });
  if (result.kind !== "accepted" && result.kind !== "delivered") return;
  const { model } = task.request;
  metrics.taskSubmitSeconds.record(secondsSince(task.taskId), { model });
  if (result.kind === "delivered")
    // its answer is the end of the job
    metrics.taskVendorEndSeconds.record(secondsSince(task.taskId), {
      vendor_account: vendorAccount,
    });
}

/**
 * Records for all processes whether the vendor account accepts submits. Best effort: the next response
 * records it again.
 */
async function notePace(ctx: Context, vendorAccount: string, result: SubmitResult): Promise<void> {
  try {
    if (result.kind === "throttled" && result.retryAfterMs !== null)
      return await noteThrottle(ctx.db, vendorAccount, result.retryAfterMs);
    const skipMs = ctx.config.vendors.breakMs;
    const health = healthOf(result);
    if (health === "sick") await noteSick(ctx.db, vendorAccount, { failuresMax, skipMs });
    else if (health === "well") await noteWell(ctx.db, vendorAccount);
  } catch (error) {
    ctx.log.warn({ event: "vendor.throttle_unrecorded", vendorAccount, reason: String(error) });
  }
}

async function callVendor(
  ctx: GenerationContext,
  task: OpenTask,
  account: VendorAccount,
  { files, paths }: Inputs,
): Promise<SubmitResult> {
  const startedAt = performance.now();
  const { taskId } = task;
  const token = callbackToken(ctx.config.links.secret, taskId);
  const result = await account.vendor.submit({
    request: task.request,
    callbackUrl: `${ctx.config.links.publicUrl}/vendors/${account.name}/${taskId}/${token}`,
    secondsMax: Math.ceil((task.deadlineAt.getTime() - Date.now()) / 1000),
    endUser: endUserOf(task.accountId),
    linkOf: (ref) => linkOf(ctx, account, files, ref),
    imageOf: imageReader(ctx, task, { files, paths }),
  });
  ctx.log.info({
    event: "vendor.called",
    call: "submit",
    taskId,
    vendorAccount: account.name,
    outcome: result.kind,
    durationMs: Math.round(performance.now() - startedAt),
  });
  return result;
}

/** Converts each distinct file once, however often the request names it, fairly between accounts. */
function imageReader(
  ctx: GenerationContext,
  { accountId }: OpenTask,
  { files, paths }: Inputs,
): VendorJob["imageOf"] {
  const fitted = new Map<string, ReturnType<VendorJob["imageOf"]>>();
  return (ref, sizeBytesMax) => {
    const key = files.get(ref)?.key;
    const path = key ? paths.get(key) : undefined;
    if (path === undefined) throw new Error("this vendor does not accept files");
    const name = `${path}-${sizeBytesMax}`;
    const fit = () => fitFile(path, sizeBytesMax, name);
    const image = fitted.get(name) ?? ctx.encodes.use({ accountId }, fit);
    fitted.set(name, image);
    return image;
  };
}

/** The vendor that reviewed an asset knows it by its own id; everything else is passed as a signed link. */
function linkOf(ctx: Context, account: VendorAccount, files: TaskFiles, ref: MediaRef): string {
  const file = files.get(ref);
  if (account.knowsAssets && file?.vendorAssetId) return `asset://${file.vendorAssetId}`;
  if (file?.key) return vendorUrl(ctx.config.links, file.key);
  return ref.asset === undefined ? ref.url : `asset://${ref.asset}`;
}

export function endUserOf(accountId: AccountId): string {
  return createHash("sha256").update(`end user ${accountId}`).digest("hex");
}
