import assert from "node:assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../../context.ts";
import type { Used } from "../../db/tables/tasks.ts";
import { NoPermitFree } from "../../errors.ts";
import type { TaskId } from "../../ids.ts";
import { inWorkDir } from "../../media/in-work-dir.ts";
import { fetchObject } from "../../media/storage/fetch-object.ts";
import { checkAvailability, fullMs } from "../../routing/choose-vendor-account.ts";
import { throttleMsMax } from "../../routing/pace-queries.ts";
import { imageRulesOf, routeOf } from "../../routing/vendor-accounts-setting.ts";
import { findOpenTask, type OpenTask } from "../../tasks/open-task-queries.ts";
import { untilDeadline } from "../../tasks/retry-until.ts";
import type { Usage } from "../../vendors/read-usage.ts";
import type { SubmitResult, VendorAccount } from "../../vendors/vendor.ts";
import type { GenerationContext } from "../context.ts";
import { storeImage } from "../store-image.ts";
import { usedBy } from "../submit-costs.ts";
import {
  isDirect,
  recordedEnd,
  type StepResult,
  type Submit,
  transition,
  waiting,
} from "../transition.ts";
import { claimAndCall, graceMsOf } from "./call-vendor.ts";
import { type TaskFiles, takeInputs } from "./take-inputs.ts";

/** The default time until a retry. */
const againMs = 5_000;
/** Then the row waits for the memory of a direct submit instead of the invocation. */
const permitWaitMsMax = 20_000;
const permitAgainMs = 2_000;
const keepEveryMs = 10_000;

/** `afterMs`: this vendor account is not used again before. */
type MovesOn = { kind: "moves on"; isHopeless: boolean; afterMs: number };
/** The attempt to submit to one vendor account. */
type Attempt = StepResult | MovesOn;

/**
 * Submits a task to the first vendor account that accepts it. The intent is in the row before each
 * call, and the vendor's id or output after it. Only a submit that is proven not accepted moves on to
 * the next vendor account; one whose response was lost is reconciled by `pollJob` and never repeated.
 */
export async function submitJob(ctx: GenerationContext, taskId: TaskId): Promise<StepResult> {
  const task = await findOpenTask(ctx.db, taskId);
  if (task === undefined) return waiting;
  if (task.submitStartedAt !== null) return recordedEnd(task) ?? waiting;
  if (await ctx.fence.isBehind()) return waiting; // it may have been submitted; the sweep asks again
  const route = await findRoute(ctx, task);
  if (route.length === 0) {
    ctx.log.warn({ event: "task.not_served", taskId, model: task.request.model });
    return failOrWait(ctx, taskId);
  }
  const taken = await takeInputs(ctx, task, imageRulesOf(route, task.request));
  if (taken.kind === "failed") return taken;

  const passed: MovesOn[] = [];
  for (const vendorAccount of route) {
    const attempt = await attemptAt(ctx, task, vendorAccount, taken.files);
    if (attempt.kind !== "moves on") return attempt;
    passed.push(attempt);
  }
  const isHopeless = passed.every((attempt) => attempt.isHopeless);
  if (isHopeless && !(await hasChanged(ctx, route))) return failOrWait(ctx, taskId);
  const afterMs = spread(Math.min(...passed.map((attempt) => attempt.afterMs)));
  await transition(ctx, "postponed", { taskId, afterMs });
  return waiting;
}

/** Fails a task that no vendor account serves. If only this process cannot open one, the task waits instead. */
async function failOrWait(ctx: GenerationContext, taskId: TaskId): Promise<StepResult> {
  if (ctx.unusableVendors().length === 0) return { kind: "failed", code: "vendor_unavailable" };
  await transition(ctx, "postponed", { taskId, afterMs: spread(fullMs) });
  return waiting;
}

async function findRoute(ctx: GenerationContext, task: OpenTask): Promise<VendorAccount[]> {
  const wanted = { isTest: task.isTest, model: task.request.model };
  const route = routeOf(ctx.vendors, wanted);
  if (route.length > 0) return route;
  await ctx.refreshVendors(); // a task must not fail because this process has not read a new one yet
  return routeOf(ctx.vendors, wanted);
}

/** Whether vendor accounts that all refused have changed meanwhile, such as a key that was replaced. */
async function hasChanged(ctx: GenerationContext, route: VendorAccount[]): Promise<boolean> {
  await ctx.refreshVendors();
  return route.some((vendorAccount) => ctx.vendors.get(vendorAccount.name) !== vendorAccount);
}

/** Jitter, so that tasks that wait for the same moment do not all start at once. */
function spread(waitMs: number): number {
  return Math.max(againMs, waitMs * (1 + Math.random() / 4));
}

async function attemptAt(
  ctx: GenerationContext,
  task: OpenTask,
  vendorAccount: VendorAccount,
  files: TaskFiles,
): Promise<Attempt> {
  const availability = await checkAvailability(ctx, task, vendorAccount);
  if (!availability.isAvailable) return movesOn(availability.waitMs);
  if (isDirect(vendorAccount)) {
    const work = (dir: string) => submitDirect(ctx, task, vendorAccount, files, dir);
    return ctx.unfinished.add(inWorkDir(ctx, "submit-", work));
  }
  const called = await claimAndCall(ctx, task, vendorAccount, { files, paths: new Map() });
  if (typeof called === "string") return notClaimed(called);
  const { submit, result } = called;
  assert(result.kind !== "delivered", "a vendor with jobs responds with a job");
  return record(ctx, task, submit, vendorAccount, result);
}

function movesOn(afterMs: number): MovesOn {
  return { kind: "moves on", isHopeless: false, afterMs };
}

/** Others were faster: with this task, or since the limits of the vendor account were checked. */
function notClaimed(reason: "taken" | "full"): Attempt {
  return reason === "taken" ? waiting : movesOn(fullMs);
}

type Response = Exclude<SubmitResult, { kind: "delivered" }>;

/** Records the response to a submit, except an output that is still to be stored. */
function record(
  ctx: GenerationContext,
  task: OpenTask,
  submit: Submit,
  vendorAccount: VendorAccount,
  response: Response,
): Promise<Attempt> {
  return untilDeadline(ctx, task, "record the response", () =>
    recordOnce(ctx, task, submit, vendorAccount, response),
  );
}

async function recordOnce(
  ctx: GenerationContext,
  task: OpenTask,
  submit: Submit,
  vendorAccount: VendorAccount,
  response: Response,
): Promise<Attempt> {
  switch (response.kind) {
    case "accepted":
      await transition(ctx, "accepted", { submit, jobId: response.jobId });
      return waiting;
    case "unknown": {
      const hasJobs = !isDirect(vendorAccount);
      await transition(ctx, "unanswered", { submit, detail: response.detail, hasJobs });
      return hasJobs ? waiting : { kind: "failed", code: "vendor_unconfirmed" };
    }
    default: {
      const { kind: outcome, detail } = response;
      const requestedMs = outcome === "throttled" ? (response.retryAfterMs ?? 0) : 0;
      const afterMs = Math.max(againMs, Math.min(requestedMs, throttleMsMax));
      const used = usedByRefused(ctx, task, submit, vendorAccount, response);
      await transition(ctx, "returned", { submit, outcome, detail, afterMs, used });
      if (outcome !== "refused") return movesOn(afterMs);
      // One vendor account's key or balance may not affect another's. Bad input is bad everywhere.
      if (response.code === "vendor_unavailable") return { ...movesOn(afterMs), isHopeless: true };
      return { kind: "failed", code: response.code };
    }
  }
}

/** Null: the vendor did nothing, so it charges nothing. */
function usedByRefused(
  ctx: GenerationContext,
  task: OpenTask,
  submit: Submit,
  vendorAccount: VendorAccount,
  response: Response,
): Used | null {
  if (response.kind !== "refused" || response.usage === undefined) return null;
  const { usage } = response;
  return usedBy(ctx, task, vendorAccount, submit, { end: "failed", usage });
}

/**
 * Submits to a vendor that returns the output in its response. The output exists nowhere else until it
 * is stored: from the call on, only the task's deadline ends the work here, and heartbeats keep the
 * claim. The delivered output is in the row before this returns.
 */
async function submitDirect(
  ctx: GenerationContext,
  task: OpenTask,
  vendorAccount: VendorAccount,
  files: TaskFiles,
  dir: string,
): Promise<Attempt> {
  const { taskId, accountId } = task;
  const sizes = [...sizesOf(files).values()];
  const bytes = vendorAccount.vendor.memoryBytesOf(task.request, sizes);
  const { stopping } = ctx.unfinished;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(permitWaitMsMax)]);
  const keeping = new AbortController();
  try {
    const called = await ctx.directSubmits.use({ owner: accountId, bytes, signal }, async () => {
      const paths = await fetchInputs(ctx, files, dir);
      if (stopping.aborted) throw new NoPermitFree(); // another worker takes it
      const onClaim = (submit: Submit) => keepClaim(ctx, submit, vendorAccount, keeping.signal);
      const answer = await claimAndCall(ctx, task, vendorAccount, { files, paths }, onClaim);
      if (typeof answer === "string") return answer;
      const path = join(dir, "result");
      return { ...answer, path, result: await ontoDisk(ctx, task, path, answer.result) };
    });
    if (typeof called === "string") return notClaimed(called);
    const { submit, path, result } = called;
    if (result.kind === "on disk") {
      const { usage } = result;
      const used = usedBy(ctx, task, vendorAccount, submit, { end: "succeeded", usage });
      return await storeImage(ctx, task, submit, path, used);
    }
    return await record(ctx, task, submit, vendorAccount, result);
  } catch (error) {
    if (!(error instanceof NoPermitFree)) throw error;
    const afterMs = permitAgainMs * (1 + Math.random());
    await transition(ctx, "postponed", { taskId, afterMs });
    return waiting;
  } finally {
    keeping.abort();
  }
}

/** The memory permit is released before the output is probed and stored, which may take long. */
async function ontoDisk(
  ctx: Context,
  task: OpenTask,
  path: string,
  result: SubmitResult,
): Promise<Response | { kind: "on disk"; usage: Usage | null }> {
  if (result.kind !== "delivered") return result;
  await untilDeadline(ctx, task, "write the output to disk", () => writeFile(path, result.bytes));
  return { kind: "on disk", usage: result.usage };
}

/** Sends heartbeats of the submit until stopped, so that it is not given up. */
function keepClaim(
  ctx: Context,
  submit: Submit,
  vendorAccount: VendorAccount,
  stop: AbortSignal,
): void {
  const graceMs = graceMsOf(vendorAccount);
  const timer = setInterval(
    () => transition(ctx, "kept", { submit, graceMs }).catch(() => {}), // the next one may work
    keepEveryMs,
  );
  stop.addEventListener("abort", () => clearInterval(timer));
}

/** Returns the sizes of a task's files by storage key: one that is named several times counts once. */
function sizesOf(files: TaskFiles): Map<string, number> {
  return new Map(
    [...files.values()].flatMap(({ key, sizeBytes }) => (key === null ? [] : [[key, sizeBytes]])),
  );
}

async function fetchInputs(
  ctx: Context,
  files: TaskFiles,
  dir: string,
): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for (const key of sizesOf(files).keys()) {
    const path = join(dir, `input-${paths.size}`);
    await fetchObject(ctx.storage, key, path);
    paths.set(key, path);
  }
  return paths;
}
