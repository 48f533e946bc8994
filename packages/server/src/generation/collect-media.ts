import { join } from "node:path";
import type { Context, MediaContext } from "../context.ts";
import { lowerHold } from "../credits/ledger.ts";
import type { Poster } from "../db/tables/tasks.ts";
import { permitWaitMsMax } from "../engine/durable.ts";
import type { TaskId } from "../ids.ts";
import type { LabelFrom } from "../labels/aigc.ts";
import { labelFromOf, posterMarkOf } from "../labels/label-from.ts";
import { type Labelling, labelMp4 } from "../labels/label-mp4.ts";
import { markVideo } from "../labels/mark-video.ts";
import { signsOutputs } from "../labels/sign-output.ts";
import { agreementOf, visibleLabelOf } from "../labels/visible-policy.ts";
import { type Download, download } from "../media/fetch/download.ts";
import { type MarkPoster, storePoster } from "../media/image/store-poster.ts";
import { inWorkDir } from "../media/in-work-dir.ts";
import { type Measured, measureMp4 } from "../media/mp4/measure-mp4.ts";
import { type MediaFacts, probeMedia } from "../media/probe/probe.ts";
import { dropObject, storeFile } from "../media/storage/objects.ts";
import { priceOfLines } from "../models/prices.ts";
import type { ModelRequest, UpscaleResolution } from "../models/request.ts";
import { shortSideOf } from "../models/upscaler.ts";
import { firstLinesOf } from "../prices/first-lines.ts";
import type { VendorsContext } from "../tasks/context.ts";
import { findOpenTask, type OpenTask } from "../tasks/open-task-queries.ts";
import type { UpscaleContext } from "../upscale/context.ts";
import { type PlannedVideo, planVideo, startUpscale } from "../upscale/start-upscale.ts";
import type { ModelsContext } from "./context.ts";
import { type StepResult, transition, waiting } from "./transition.ts";

/** Ten minutes, the longest upscaled video, in 4k at 20 Mbit/s are 1.4 GiB. */
const videoBytesMax = 1_536 * 1024 * 1024;
const downloadMsMax = 5 * 60_000;
/** The type in which vendors deliver, before it is known. */
const usualType = "video/mp4";

type CollectContext = UpscaleContext & ModelsContext & VendorsContext;

/**
 * Copies the video of a finished job into storage, probed and checked. Transient failures (storage
 * down, a broken connection) throw and are retried; others fail the task. An attempt that nobody waits for
 * gives up its place in the line, or after the loss of an engine node attempts would crowd out each other.
 */
export async function collectMedia(
  ctx: CollectContext,
  taskId: TaskId,
  until?: AbortSignal,
): Promise<StepResult> {
  const task = await findOpenTask(ctx.db, taskId);
  if (task === undefined || task.resultUrl === null) return waiting;
  const { accountId, resultUrl } = task;
  const limits = [AbortSignal.timeout(permitWaitMsMax), ...(until === undefined ? [] : [until])];
  const entry = { owner: accountId, signal: AbortSignal.any(limits) };
  const collecting = (dir: string) => collect(ctx, task, resultUrl, dir);
  return ctx.collects.use(entry, () => inWorkDir(ctx, "collect-", collecting));
}

async function collect(
  ctx: CollectContext,
  task: OpenTask,
  resultUrl: string,
  dir: string,
): Promise<StepResult> {
  const { taskId } = task;
  const labelFrom = labelFromOf(ctx, taskId);
  const visible = await visibleLabelOf(ctx, task, ctx.vendors.get(task.vendorAccount));
  // Where files are signed or drawn on, the vendor's bytes are needed as they are.
  const isLabelledOnItsWay = !signsOutputs(ctx.config, usualType) && visible.kind !== "ours";
  const fetched = await fetchVideo(
    ctx,
    resultUrl,
    join(dir, "video"),
    isLabelledOnItsWay ? labelFrom : null,
  );
  if (fetched.kind === "refused") {
    if (fetched.isTooSlow) throw new Error(`the result could not be fetched: ${fetched.reason}`);
    return unusable(ctx, taskId, fetched.reason);
  }
  const video = await factsOf(ctx, task, fetched.path, fetched.measured);
  if (video?.type !== "VIDEO" || video.width === null || video.height === null)
    return unusable(ctx, taskId, "not a video");
  if (video.durationMs === null) return unusable(ctx, taskId, "a video without a length");
  const { width, height, durationMs, frames, contentType } = video;
  const target = targetOf(task.request, video.width, video.height);
  const source = { path: fetched.path, contentType, width, height, durationMs };
  const upscaled =
    target === null
      ? null
      : await ctx.programs.use(permitOf(task), () => planVideo(source, target));
  if (upscaled?.kind === "fault") return unusable(ctx, taskId, upscaled.fault);
  const order = { taskId, owner: task.accountId, labelFrom, visible: visible.kind };
  const isUsual = fetched.measured.kind === "measured";
  const { path, sizeBytes, sha256, labels } =
    upscaled === null
      ? await markVideo(ctx, { ...fetched, contentType, width, height, isUsual }, order)
      : { ...fetched, labels: [] }; // the upscale is marked
  const facts = { contentType, sizeBytes, sha256 };
  // Beside each other: a poster does not delay what is paid for.
  const [key, poster] = await Promise.all([
    storeFile(ctx, path, video.extension, facts),
    upscaled === null
      ? posterOf(ctx, task, { path, contentType, durationMs }, dir, posterMarkOf(labelFrom))
      : null,
  ]);
  if (upscaled !== null) {
    const planned = { ...upscaled, plan: labelledPlan(upscaled.plan, labelFrom) };
    const upscaleSource = { key, isOwned: true, showsLabel: visible.kind === "vendor's" };
    const writing = await startUpscale(ctx, taskId, upscaleSource, planned, null);
    if (writing !== "written") await dropObject(ctx, key);
    if (writing === "exhausted") return { kind: "failed", code: "test_allowance_used" };
    await transition(ctx, "handed over", { taskId });
    return waiting;
  }
  await chargeNoUpscale(ctx, task);
  const storedAt = Date.now();
  const media = {
    key,
    ...facts,
    width,
    height,
    durationMs,
    frames,
    poster,
    storedAt,
    labels,
    labelAgreementId: agreementOf(visible),
  };
  return { kind: "delivered", media };
}

type Fetched = Extract<Download, { kind: "done" }> & {
  path: string;
  measured: Measured;
  /** Null: the deployment labels nothing. */
  labelling: Labelling | null;
};

/** Fetches a video that is measured and, unless it has an unusual form, labelled while it arrives. */
async function fetchVideo(
  ctx: Context,
  url: string,
  path: string,
  labelFrom: LabelFrom | null,
): Promise<Fetched | Extract<Download, { kind: "refused" }>> {
  const measuring = measureMp4();
  const labelling = labelFrom === null ? null : labelMp4(labelFrom, { keepsSigned: true });
  const fetched = await download(ctx.safeFetch, url, path, {
    sizeBytesMax: videoBytesMax,
    totalMsMax: downloadMsMax,
    through: labelling?.stream,
    onChunk: measuring.push,
  });
  if (fetched.kind === "refused") return fetched;
  const result = labelling?.result() ?? null;
  if (result?.kind !== "broken")
    return { ...fetched, path, measured: measuring.end(), labelling: result };
  const whole = await fetchVideo(ctx, url, path, null);
  if (whole.kind === "refused") return whole;
  const { reason, isSigned } = result;
  return { ...whole, labelling: isSigned ? { kind: "signed" } : { kind: "unchanged", reason } };
}

/** A model made the source, whether the file says so or not. */
function labelledPlan(plan: PlannedVideo["plan"], labelFrom: LabelFrom | null) {
  return labelFrom === null ? plan : { ...plan, aigc: labelFrom(plan.aigc ?? null).aigc };
}

function posterOf(
  ctx: MediaContext,
  task: OpenTask,
  video: { path: string; contentType: string; durationMs: number },
  dir: string,
  mark: MarkPoster,
): Promise<Poster | null> {
  const store = () => storePoster(ctx, video, dir, mark);
  return ctx.programs.use(permitOf(task), store).catch(() => null);
}

function permitOf({ accountId }: OpenTask) {
  return { owner: accountId, waitMsMax: permitWaitMsMax };
}

/** Returns the facts measured while the video arrived, or by ffprobe if its form is unusual. */
async function factsOf(
  ctx: MediaContext,
  task: OpenTask,
  path: string,
  measured: Measured,
): Promise<MediaFacts | null> {
  ctx.metrics.outputsMeasured.add({ outcome: measured.kind });
  if (measured.kind === "measured") return measured.facts;
  ctx.log.info({ event: "media.unusual_form", taskId: task.taskId, reason: measured.reason });
  return await ctx.programs.use(permitOf(task), () => probeMedia(path));
}

/** The upscale still to be done; `null` if none was requested or the video already has the resolution. */
function targetOf(request: ModelRequest, width: number, height: number): UpscaleResolution | null {
  const target = request.kind === "video" ? request.upscaleResolution : null;
  return target === null || Math.min(width, height) >= shortSideOf[target] ? null : target;
}

/** A model that chose the aspect ratio itself may have rendered more than expected. */
async function chargeNoUpscale(ctx: ModelsContext, task: OpenTask): Promise<void> {
  const { taskId, request, discount } = task;
  if (request.kind !== "video" || request.upscaleResolution === null) return;
  const all = task.priceLines ?? (await firstLinesOf(ctx, request, task.priceBook));
  const charged = all.filter(({ item }) => item !== "upscale");
  const { credits, lines } = priceOfLines(request.model, charged, discount ?? 0);
  await lowerHold(ctx.pool, { taskId, credits, lines });
}

function unusable(ctx: Context, taskId: TaskId, reason: string): StepResult {
  ctx.log.warn({ event: "media.unusable", taskId, reason });
  return { kind: "failed", code: "output_unusable" };
}
