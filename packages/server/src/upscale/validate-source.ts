import assert from "node:assert";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Context, MediaContext } from "../context.ts";
import { permitWaitMsMax } from "../engine/durable.ts";
import { errorCatalogue, type FailureCode } from "../errors.ts";
import { type AccountId, secondsSince, type TaskId } from "../ids.ts";
import { downloadWithRetries } from "../media/fetch/download-with-retries.ts";
import { faultOfProbe, probeFile } from "../media/probe/probe.ts";
import { fetchObject, measureFile, ObjectGone } from "../media/storage/fetch-object.ts";
import { dropObject, keepObjectsUntil, storeFile } from "../media/storage/objects.ts";
import type { OutputRef } from "../models/output-ref.ts";
import { type Price, type PriceLine, priceOfLines } from "../models/prices.ts";
import {
  describeLength,
  faultOfLength,
  faultOfSource,
  type SourceLength,
  upscaleLine,
  upscalerLimits,
  upscalerModel,
} from "../models/upscaler.ts";
import { upscalerPriced } from "../prices/document.ts";
import { firstRatesOf } from "../prices/first-lines.ts";
import { findOutput } from "../tasks/find-outputs.ts";
import { findTask, postponeSubmit } from "../tasks/queries.ts";
import { claimSubmit, recordSubmission } from "../tasks/submit-queries.ts";
import type { TaskRow } from "../tasks/task-row.ts";
import type { UpscaleContext } from "./context.ts";
import { findUpscale } from "./queries.ts";
import type { UpscaleRequest } from "./schema.ts";
import { findCopy } from "./source-asset.ts";
import { sourceProtocols } from "./source-url.ts";
import { planVideo, startUpscale } from "./start-upscale.ts";

/** The upscaler's name among the vendor accounts. */
export const upscalerAccount = "upscaler";

const fetchMsMax = 5 * 60_000;
const pollMs = 10_000;
/** The interval at which the copy of an asset is checked for; the sweep wakes the task. */
const copyAgainMs = 2_000;

export type Validation =
  | { kind: "settled" }
  | { kind: "failed"; code: FailureCode; message: string };

const settled: Validation = { kind: "settled" };

/**
 * Validates the source of an upscale: fetches it once (or uses the caller's stored copy), probes and
 * prices it, and cuts it into segments. From then on the task is processing.
 */
export async function validateSource(ctx: UpscaleContext, taskId: TaskId): Promise<Validation> {
  const task = await findTask(ctx.db, taskId);
  if (task === undefined || task.completed_at !== null) return settled;
  if (await ctx.fence.isBehind()) return settled; // it may have ended; the sweep asks again
  if ((await findUpscale(ctx.db, taskId)) === undefined) {
    const source = await findSource(ctx, task);
    if (source.kind === "waiting") {
      await postponeSubmit(ctx.db, taskId, copyAgainMs);
      return settled;
    }
    const entry = { owner: task.account_id, signal: AbortSignal.timeout(permitWaitMsMax) };
    const fault =
      source.kind === "fault"
        ? source.fault
        : await ctx.fetches.use(entry, () => takeSource(ctx, task, source));
    if (fault !== null) {
      ctx.log.warn({ event: "source.unusable", taskId, code: fault.code, reason: fault.message });
      return { kind: "failed", ...fault };
    }
  }
  const claim = await claimSubmit(ctx.pool, {
    taskId,
    vendorAccount: upscalerAccount,
    graceMs: pollMs,
    isAtWork: true,
    known: await ctx.fence.known(),
  });
  if (claim !== undefined) {
    ctx.changes.announce(taskId, task.account_id);
    ctx.metrics.taskSubmitSeconds.record(secondsSince(taskId), { model: task.model });
    await recordSubmission(ctx.db, { taskId, ...claim, outcome: "accepted" });
  }
  return settled;
}

type Fault = { code: FailureCode; message: string };

/** `showsLabel`: it is an output of ours with a visible label. */
type Source = { kind: "url"; url: string } | { kind: "copy"; key: string; showsLabel: boolean };
type Faulty = { kind: "fault"; fault: Fault };
type Fetched = { kind: "done"; sizeBytes: number; sha256: string };

/** The copy of an asset that was not stored when the task was accepted, once it is. */
async function findSource(
  ctx: Context,
  task: TaskRow,
): Promise<Source | { kind: "waiting" } | Faulty> {
  const { source } = task.request as UpscaleRequest; // only ever written by accepting
  if (source.url !== undefined) return { kind: "url", url: source.url };
  if (source.key !== undefined) return { kind: "copy", key: source.key, showsLabel: false };
  if (source.task !== undefined) return findOutputCopy(ctx, task, source);
  const copy = await findCopy(ctx, task, source.asset);
  return copy.kind === "copy" ? { ...copy, showsLabel: false } : copy;
}

/** Kept for as long as the task may need it, whenever the output expires. */
async function findOutputCopy(
  { db, config }: Context,
  task: TaskRow,
  ref: OutputRef,
): Promise<Source | Faulty> {
  const output = await findOutput(db, task.account_id, ref);
  if (output === undefined)
    return faulty("SOURCE_GONE", "The output no longer exists: it was deleted, or it has expired.");
  const { key, labels = [] } = output;
  const deadlineAt = new Date(task.created_at.getTime() + config.tasks.upscaleAgeMaxMs);
  await keepObjectsUntil(db, [key], deadlineAt);
  return { kind: "copy", key, showsLabel: labels.includes("visible") };
}

async function takeSource(
  ctx: UpscaleContext,
  task: TaskRow,
  source: Source,
): Promise<Fault | null> {
  await mkdir(ctx.workDir, { recursive: true });
  const dir = await mkdtemp(join(ctx.workDir, "upscale-"));
  try {
    return await takeInto(ctx, task, source, join(dir, "source"));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function takeInto(
  ctx: UpscaleContext,
  task: TaskRow,
  source: Source,
  path: string,
): Promise<Fault | null> {
  const { target, maxCredits } = task.request as UpscaleRequest;
  const fetched =
    source.kind === "copy"
      ? await fetchCopy(ctx, source.key, path)
      : await fetchSource(ctx, task.account_id, source.url, path);
  if (fetched.kind === "fault") return fetched.fault;
  const { sizeBytes, sha256 } = fetched;
  const entry = { owner: task.account_id };
  const probe = await ctx.probes.use(entry, () => probeFile(path));
  if (probe.kind !== "facts")
    return { code: "UNSUPPORTED_MEDIA_TYPE", message: `The source ${faultOfProbe(probe)}.` };
  const { facts } = probe;
  const fault = faultOfSource({ ...facts, sizeBytes }, target);
  if (fault !== null) return { code: fault.code, message: fault.message.en };
  const { contentType, width, height, durationMs } = facts;
  assert(
    width !== null && height !== null && durationMs !== null,
    "it is a video: see faultOfSource",
  );
  const video = { path, contentType, width, height, durationMs };
  const planned = await ctx.probes.use(entry, () => planVideo(video, target));
  if (planned.kind === "fault") return { code: "UNSUPPORTED_MEDIA_TYPE", message: planned.fault };

  const length = { durationMs, frames: planned.frames.length };
  const tooLong = faultOfLength(length);
  if (tooLong !== null) return { code: tooLong.code, message: tooLong.message.en };
  const { credits, lines } = await priceOf(ctx, task, target, length);
  if (maxCredits !== undefined && credits > maxCredits)
    return {
      code: "price_above_max",
      message: `${describeLength(length).en}: the upscale costs ${credits} credits, and maxCredits is ${maxCredits}.`,
    };
  const object = { sizeBytes, sha256, contentType };
  const isOwned = source.kind === "url";
  const key = isOwned ? await storeFile(ctx, path, facts.extension, object) : source.key;
  const showsLabel = source.kind === "copy" && source.showsLabel;
  const stored = { key, isOwned, showsLabel };
  const writing = await startUpscale(ctx, task.id, stored, planned, { credits, lines });
  if (writing !== "written" && isOwned) await dropObject(ctx, key);
  if (writing === "exhausted")
    return { code: "test_allowance_used", message: errorCatalogue.test_allowance_used.sentence };
  if (writing !== "unaffordable") return null;
  return {
    code: "INSUFFICIENT_CREDITS",
    message: `${describeLength(length).en}: the upscale costs ${credits} credits, which are not available.`,
  };
}

/** The price of the length as it was measured, by the rate at which the task was accepted. */
async function priceOf(
  ctx: UpscaleContext,
  { price_lines: accepted, price_schedule: book, discount }: TaskRow,
  target: UpscaleRequest["target"],
  length: SourceLength,
): Promise<Price> {
  const [first] = (accepted ?? []) as PriceLine[]; // only ever written by accepting
  const rates =
    first === undefined
      ? await firstRatesOf(ctx, book, upscalerPriced)
      : { [first.key]: first.rate };
  assert(rates !== null, `version 1 of the book ${book} has no rates of the upscaler`);
  return priceOfLines(upscalerModel, [upscaleLine(target, length, rates)], discount ?? 0);
}

/** A deleted copy does not come back: its asset was revoked, or its output was deleted. */
async function fetchCopy(ctx: Context, key: string, path: string): Promise<Faulty | Fetched> {
  try {
    await fetchObject(ctx.storage, key, path);
  } catch (error) {
    if (!(error instanceof ObjectGone)) throw error;
    return faulty("SOURCE_GONE", "The stored source no longer exists: it was deleted.");
  }
  return { kind: "done", ...(await measureFile(path)) };
}

async function fetchSource(
  ctx: MediaContext,
  accountId: AccountId,
  url: string,
  path: string,
): Promise<Faulty | Fetched> {
  const fetched = await downloadWithRetries(ctx.safeFetch, url, path, {
    sizeBytesMax: upscalerLimits.sizeBytesMax,
    totalMsMax: fetchMsMax,
    pace: ctx.paces.of(accountId),
    protocols: sourceProtocols(url, ctx.config.fetch.allowLoopback),
  });
  if (fetched.kind === "done") return fetched;
  if (fetched.isTooLarge) return faulty("FILE_TOO_LARGE", "The source is larger than 200 MB.");
  const code = fetched.isForbidden ? "INVALID_URL" : "URL_NOT_REACHABLE";
  return faulty(code, `The source could not be fetched: ${fetched.reason}.`);
}

function faulty(code: FailureCode, message: string): Faulty {
  return { kind: "fault", fault: { code, message } };
}
