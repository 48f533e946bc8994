import { createHash, randomUUID } from "node:crypto";
import type { Context } from "../../context.ts";
import { isUnavailable } from "../../db/database.ts";
import { type AccountId, secondsSince } from "../../ids.ts";
import { isVendorMarkDue } from "../../labels/visible-policy.ts";
import { fitFile } from "../../media/image/fit-file.ts";
import { vendorUrl } from "../../media/storage/signed-link.ts";
import { textOf } from "../../models/inputs-of.ts";
import type { MediaRef } from "../../models/request.ts";
import { failuresMax, healthOf } from "../../routing/breaker.ts";
import { noteSick, noteThrottle, noteWell } from "../../routing/pace-queries.ts";
import { returnCredits } from "../../routing/queries.ts";
import type { OpenTask } from "../../tasks/open-task-queries.ts";
import { untilDeadline } from "../../tasks/retry-until.ts";
import type { SubmitResult, VendorAccount, VendorJob } from "../../vendors/vendor.ts";
import type { GenerationContext } from "../context.ts";
import { callbackToken } from "../poll/callback-token.ts";
import { chargeOf } from "../submit-costs.ts";
import { isDirect, type Submit, transition } from "../transition.ts";
import type { TaskFiles } from "./take-inputs.ts";

/** The time for which an abandoned submit may still be running in its process. */
const graceAfterTimeoutMs = 5_000;
/** A vendor that returns the output in its response: storing it is part of the submit. */
const storeMsMax = 60_000;

export interface Inputs {
  files: TaskFiles;
  /** Local copies by storage key, for vendors that accept files. */
  paths: ReadonlyMap<string, string>;
}

/** Returns the time for which a claim is valid without a heartbeat. */
export function graceMsOf(vendorAccount: VendorAccount): number {
  const { submitMsMax } = vendorAccount.vendor;
  return submitMsMax + graceAfterTimeoutMs + (isDirect(vendorAccount) ? storeMsMax : 0);
}

/**
 * Claims the submit and calls the vendor, unless the claim is `taken` or the vendor account `full`.
 * `onClaim` is called between claim and call.
 */
export async function claimAndCall(
  ctx: GenerationContext,
  task: OpenTask,
  vendorAccount: VendorAccount,
  inputs: Inputs,
  onClaim: (submit: Submit) => void = () => {},
): Promise<{ submit: Submit; result: SubmitResult } | "taken" | "full"> {
  const { taskId, accountId } = task;
  const isMarked = await isVendorMarkDue(ctx, task, vendorAccount);
  const claimedAt = performance.now();
  const startedAt = await claimOrAbandon(ctx, task, vendorAccount);
  if (!(startedAt instanceof Date)) return startedAt;
  const submit = { taskId, accountId, startedAt };
  onClaim(submit);
  // Nothing that waits may come between claim and call: a crash there leaves a submit to explain, and
  // a process that was stopped there for long would call when others have explained it already.
  const isStale = performance.now() - claimedAt > graceAfterTimeoutMs;
  const result: SubmitResult = isStale
    ? {
        kind: "unavailable",
        detail: "the process was suspended for too long before the call",
        isOurs: true,
      }
    : await callVendor(ctx, task, vendorAccount, { ...inputs, isMarked });
  countSubmit(ctx, task, vendorAccount.name, result);
  await notePace(ctx, vendorAccount.name, result);
  await settleCredits(ctx, vendorAccount, task, result);
  return { submit, result };
}

/** A claim that may have been made although nothing says so is given back: only we know that nobody calls. */
async function claimOrAbandon(
  ctx: GenerationContext,
  task: OpenTask,
  vendorAccount: VendorAccount,
) {
  const { taskId } = task;
  const claimId = randomUUID();
  const graceMs = graceMsOf(vendorAccount);
  try {
    const charge = chargeOf(ctx, vendorAccount, task.request);
    return await transition(ctx, "claimed", { task, vendorAccount, claimId, graceMs, charge });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const abandon = () => transition(ctx, "abandoned", { taskId, claimId });
    const wasMade = await untilDeadline(ctx, task, "abandon the claim", abandon);
    if (wasMade) await settleCredits(ctx, vendorAccount, task, { kind: "unavailable" });
    throw error;
  }
}

/** Returns the credits of a submit that is proven not accepted, so that refused input uses up no budget. */
async function settleCredits(
  ctx: Context,
  { name, creditsPerDayMax }: VendorAccount,
  { credits }: OpenTask,
  { kind }: Pick<SubmitResult, "kind">,
): Promise<void> {
  const isRefused = kind === "refused" || kind === "throttled" || kind === "unavailable";
  if (creditsPerDayMax === null || !isRefused) return;
  await returnCredits(ctx.db, name, credits).catch((error) =>
    ctx.log.warn({ event: "vendor.credits_kept", vendorAccount: name, reason: String(error) }),
  );
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
  vendorAccount: VendorAccount,
  { files, paths, isMarked }: Inputs & { isMarked: boolean },
): Promise<SubmitResult> {
  const startedAt = performance.now();
  const { taskId } = task;
  const token = callbackToken(ctx.config.links.secret, taskId);
  const result = await vendorAccount.vendor.submit({
    request: task.request,
    callbackUrl: `${ctx.config.links.publicUrl}/vendors/${vendorAccount.name}/${taskId}/${token}`,
    secondsMax: Math.ceil((task.deadlineAt.getTime() - Date.now()) / 1000),
    endUser: endUserOf(task.accountId),
    isMarked,
    linkOf: (ref) => linkOf(ctx, vendorAccount, files, ref),
    imageOf: imageReader(ctx, task, { files, paths }),
  });
  ctx.log.info({
    event: "vendor.called",
    call: "submit",
    taskId,
    vendorAccount: vendorAccount.name,
    outcome: result.kind,
    durationMs: Math.round(performance.now() - startedAt),
  });
  return result;
}

/** Converts each distinct file once, however often the request names it, fairly between customers' accounts. */
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
    const image = fitted.get(name) ?? ctx.encodes.use({ owner: accountId }, fit);
    fitted.set(name, image);
    return image;
  };
}

/** The vendor that reviewed an asset knows it by its own id; everything else is passed as a signed link. */
function linkOf(
  ctx: Context,
  vendorAccount: VendorAccount,
  files: TaskFiles,
  ref: MediaRef,
): string {
  const file = files.get(ref);
  if (vendorAccount.knowsAssets && file?.vendorAssetId) return `asset://${file.vendorAssetId}`;
  if (file?.key) return vendorUrl(ctx.config.links, file.key);
  return textOf(ref);
}

export function endUserOf(accountId: AccountId): string {
  return createHash("sha256").update(`end user ${accountId}`).digest("hex");
}
