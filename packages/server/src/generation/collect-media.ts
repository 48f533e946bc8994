import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Context, MediaContext } from "../context.ts";
import { lowerHold } from "../credits/ledger.ts";
import type { Poster, StoredMedia } from "../db/tables/tasks.ts";
import { permitWaitMsMax } from "../engine/durable.ts";
import type { FailureCode } from "../errors.ts";
import type { TaskId } from "../ids.ts";
import { download } from "../media/fetch/download.ts";
import { storePoster } from "../media/image/store-poster.ts";
import { type Measured, measureMp4 } from "../media/mp4/measure-mp4.ts";
import { type MediaFacts, probeMedia } from "../media/probe/probe.ts";
import { dropObject, storeFile } from "../media/storage/objects.ts";
import { modelOf } from "../models/model.ts";
import { priceOf } from "../models/prices.ts";
import type { ModelRequest, UpscaleResolution } from "../models/request.ts";
import { shortSideOf } from "../models/upscaler.ts";
import { findOpenTask, type OpenTask } from "../tasks/open-task-queries.ts";
import { moveTo } from "../tasks/queries.ts";
import type { UpscaleContext } from "../upscale/context.ts";
import { planVideo, startUpscale } from "../upscale/start-upscale.ts";
import { upscalerAccount } from "../upscale/validate-source.ts";
import type { ModelsContext } from "./context.ts";

/** Ten minutes, the longest upscaled video, in 4k at 20 Mbit/s are 1.4 GiB. */
const videoBytesMax = 1_536 * 1024 * 1024;
const downloadMsMax = 5 * 60_000;

type CollectContext = UpscaleContext & ModelsContext;

export type Collection =
  | { kind: "delivered"; media: StoredMedia }
  | { kind: "failed"; code: FailureCode }
  | { kind: "over" };

/**
 * Copies the video of a finished job into storage, probed and checked. Transient failures (storage
 * down, a broken connection) throw and are retried; others fail the task. An attempt that nobody waits for
 * gives up its place in the line, or after the loss of an engine node attempts would crowd out each other.
 */
export async function collectMedia(
  ctx: CollectContext,
  taskId: TaskId,
  until?: AbortSignal,
): Promise<Collection> {
  const task = await findOpenTask(ctx.db, taskId);
  if (task === undefined || task.resultUrl === null) return { kind: "over" };
  const { accountId, resultUrl } = task;
  const limits = [AbortSignal.timeout(permitWaitMsMax), ...(until === undefined ? [] : [until])];
  const entry = { accountId, signal: AbortSignal.any(limits) };
  return ctx.collects.use(entry, () => collect(ctx, task, resultUrl));
}

async function collect(
  ctx: CollectContext,
  task: OpenTask,
  resultUrl: string,
): Promise<Collection> {
  const { taskId } = task;
  await mkdir(ctx.workDir, { recursive: true });
  const dir = await mkdtemp(join(ctx.workDir, "collect-"));
  try {
    const path = join(dir, "video");
    const measuring = measureMp4();
    const fetched = await download(ctx.safeFetch, resultUrl, path, {
      ...{ sizeBytesMax: videoBytesMax, totalMsMax: downloadMsMax },
      onChunk: measuring.push,
    });
    if (fetched.kind === "refused") {
      if (fetched.isTooSlow) throw new Error(`the result could not be fetched: ${fetched.reason}`);
      return unusable(ctx, taskId, fetched.reason);
    }
    const measured = measuring.end();
    const video = await factsOf(ctx, task, path, measured);
    if (video?.type !== "VIDEO" || video.width === null || video.height === null)
      return unusable(ctx, taskId, "not a video");
    if (video.durationMs === null) return unusable(ctx, taskId, "a video without a length");
    const { width, height, durationMs, contentType } = video;
    const target = targetOf(task.request, video.width, video.height);
    const source = { path, contentType, width, height, durationMs };
    const upscaled =
      target === null
        ? null
        : await ctx.programs.use(aloneFor(task), () => planVideo(source, target));
    if (upscaled?.kind === "fault") return unusable(ctx, taskId, upscaled.fault);
    const { sizeBytes, sha256 } = fetched;
    const facts = { contentType, sizeBytes, sha256 };
    const isUsual = measured.kind === "measured";
    // Beside each other: a poster does not delay what is paid for.
    const [key, poster] = await Promise.all([
      storeFile(ctx, path, video.extension, facts),
      upscaled === null
        ? posterOf(ctx, task, { path, contentType, durationMs, isUsual }, dir)
        : null,
    ]);
    if (upscaled !== null) {
      const writing = await startUpscale(ctx, taskId, { key, isOwned: true }, upscaled, null);
      if (writing !== "written") await dropObject(ctx, key);
      await moveTo(ctx.db, taskId, upscalerAccount);
      return { kind: "over" };
    }
    await chargeNoUpscale(ctx, task);
    const storedAt = Date.now();
    const media = { key, ...facts, width, height, durationMs, poster, storedAt };
    return { kind: "delivered", media };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** ffmpeg is started for several videos of the usual form at once, and for others one by one. */
function posterOf(
  ctx: MediaContext,
  task: OpenTask,
  video: { path: string; contentType: string; durationMs: number; isUsual: boolean },
  dir: string,
): Promise<Poster | null> {
  const store = () => storePoster(ctx, video, dir);
  return video.isUsual ? store() : ctx.programs.use(aloneFor(task), store).catch(() => null);
}

function aloneFor({ accountId }: OpenTask) {
  return { accountId, waitMsMax: permitWaitMsMax };
}

/** As measured while the video arrived, or by ffprobe if its form is not the usual one. */
async function factsOf(
  ctx: MediaContext,
  task: OpenTask,
  path: string,
  measured: Measured,
): Promise<MediaFacts | null> {
  ctx.metrics.outputsMeasured.add({ outcome: measured.kind });
  if (measured.kind === "measured") return measured.facts;
  ctx.log.info({ event: "media.unusual_form", taskId: task.taskId, reason: measured.reason });
  return await ctx.programs.use(aloneFor(task), () => probeMedia(path));
}

/** The upscale still to be done; `null` if none was requested or the video already has the resolution. */
function targetOf(request: ModelRequest, width: number, height: number): UpscaleResolution | null {
  const target = request.kind === "video" ? request.upscaleResolution : null;
  return target === null || Math.min(width, height) >= shortSideOf[target] ? null : target;
}

/** A model that chose the aspect ratio itself may have rendered more than expected. */
async function chargeNoUpscale(ctx: ModelsContext, task: OpenTask): Promise<void> {
  const { taskId, request, priceSchedule } = task;
  if (request.kind !== "video" || request.upscaleResolution === null) return;
  const model = modelOf(ctx.models, request);
  const withoutUpscale = { ...request, upscaleResolution: null };
  const { credits } = priceOf(model, withoutUpscale, priceSchedule);
  await lowerHold(ctx.pool, { taskId, credits });
}

function unusable(ctx: Context, taskId: TaskId, reason: string): Collection {
  ctx.log.warn({ event: "media.unusable", taskId, reason });
  return { kind: "failed", code: "output_unusable" };
}
