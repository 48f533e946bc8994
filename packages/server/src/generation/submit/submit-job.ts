import type { TaskId } from "../../ids.ts";
import { mediaOf } from "../../models/request.ts";
import { findOpenTask, type OpenTask } from "../../tasks/open-task-queries.ts";
import { postponeSubmit } from "../../tasks/queries.ts";
import { imageRulesOf, routeOf } from "../../vendors/accounts.ts";
import type { VendorAccount } from "../../vendors/vendor.ts";
import type { GenerationContext } from "../context.ts";
import { claimAndCall } from "./call-vendor.ts";
import { fullMs, takeTurn } from "./choose-account.ts";
import { AccountFull } from "./claim-within.ts";
import { type Attempt, againMs, noteResult, type Submission, settled } from "./note-result.ts";
import { submitDirect } from "./submit-direct.ts";
import { type TaskFiles, takeInputs } from "./take-inputs.ts";
import { untilDeadline } from "./until-deadline.ts";

/**
 * Submits a task to the first vendor account that accepts it. The intent is in the row before each
 * call, and the vendor's id or output after it. Only a submit that is proven not accepted moves on to
 * the next account; one whose response was lost is reconciled by `pollJob` and never repeated.
 */
export async function submitJob(
  ctx: GenerationContext,
  taskId: TaskId,
  { mayTakeLong } = { mayTakeLong: true },
): Promise<Submission | { kind: "takes long" }> {
  const task = await findOpenTask(ctx.db, taskId);
  if (task === undefined) return settled;
  if (task.submitStartedAt !== null) return reachedBy(task);
  const route = await findRoute(ctx, task);
  if (route.length === 0) {
    ctx.log.warn({ event: "task.not_served", taskId, model: task.request.model });
    return failOrWait(ctx, taskId);
  }
  if (!mayTakeLong && takesLong(task, route)) return { kind: "takes long" };
  const taken = await takeInputs(ctx, task, imageRulesOf(route, task.request));
  if (taken.kind === "failed") return taken;

  let isHopeless = true;
  const waitsMs: number[] = [];
  for (const account of route) {
    const turn = await takeTurn(ctx, task, account);
    if (!turn.isOpen) {
      isHopeless = false;
      waitsMs.push(turn.waitMs);
      continue;
    }
    const outcome = await submitTo(ctx, task, account, taken.files).catch(moveOnIfFull);
    if (outcome.kind !== "moves on") return outcome;
    isHopeless &&= outcome.isHopeless;
    waitsMs.push(outcome.afterMs);
  }
  if (isHopeless && !(await hasChanged(ctx, route))) return failOrWait(ctx, taskId);
  await postponeSubmit(ctx.db, taskId, spread(Math.min(...waitsMs)));
  return settled;
}

/** Files are fetched first, and some vendors answer with the output itself. */
function takesLong({ request }: OpenTask, route: VendorAccount[]): boolean {
  return mediaOf(request).length > 0 || route.some(({ vendor }) => vendor.jobs === null);
}

/** For want of an account. One that only this process cannot open is trouble of our own. */
async function failOrWait(ctx: GenerationContext, taskId: TaskId): Promise<Submission> {
  if (!ctx.missesVendors()) return { kind: "failed", code: "vendor_unavailable" };
  await postponeSubmit(ctx.db, taskId, spread(fullMs));
  return settled;
}

async function findRoute(ctx: GenerationContext, task: OpenTask): Promise<VendorAccount[]> {
  const wanted = { isTest: task.isTest, model: task.request.model };
  const route = routeOf(ctx.vendors, wanted);
  if (route.length > 0) return route;
  await ctx.refreshVendors(); // a task must not fail because this process has not read a new account yet
  return routeOf(ctx.vendors, wanted);
}

/** Whether accounts that all refused have changed meanwhile, such as a key that was replaced. */
async function hasChanged(ctx: GenerationContext, route: VendorAccount[]): Promise<boolean> {
  await ctx.refreshVendors();
  return route.some((account) => ctx.vendors.get(account.name) !== account);
}

/** The outcome of an earlier submit whose own end was lost. */
function reachedBy({ delivered, failureCode }: OpenTask): Submission {
  if (delivered !== null) return { kind: "delivered", media: delivered };
  return failureCode === null ? settled : { kind: "failed", code: failureCode };
}

/** Jitter, so that tasks that wait for the same moment do not all start at once. */
function spread(waitMs: number): number {
  return Math.max(againMs, waitMs * (1 + Math.random() / 4));
}

/** Others were faster since the limits were looked at. */
function moveOnIfFull(error: unknown): Attempt {
  if (error instanceof AccountFull) return { kind: "moves on", isHopeless: false, afterMs: fullMs };
  throw error;
}

async function submitTo(
  ctx: GenerationContext,
  task: OpenTask,
  account: VendorAccount,
  files: TaskFiles,
): Promise<Attempt> {
  if (account.vendor.jobs === null) return submitDirect(ctx, task, account, files);
  const called = await claimAndCall(ctx, task, account, { files, paths: new Map() });
  if (called === undefined || called.result.kind === "delivered") return settled;
  const { startedAt, result } = called;
  const { taskId, accountId } = task;
  const submit = { taskId, accountId, startedAt, account };
  return untilDeadline(ctx, task, "note the answer", () => noteResult(ctx, submit, result));
}
