import type { VideoPlan } from "../db/tables/upscale.ts";
import type { TaskId } from "../ids.ts";
import { upscaleLabelOf } from "../labels/label-from.ts";
import { readAigc } from "../labels/read-aigc.ts";
import { findVisibleDuty } from "../labels/visible-policy.ts";
import { listFrames, type VideoFrames } from "../media/probe/list-frames.ts";
import type { Price } from "../models/prices.ts";
import type { UpscaleResolution } from "../models/request.ts";
import { upscaledSides, upscalerLimits } from "../models/upscaler.ts";
import { findOpenTask, type OpenTask } from "../tasks/open-task-queries.ts";
import type { UpscaleContext } from "./context.ts";
import { insertUpscale, type Writing } from "./queries.ts";
import { cutForTest } from "./test-mode.ts";
import { chooseUpscaler, upscalerOf } from "./upscalers/choose-upscaler.ts";

export interface LocalVideo {
  path: string;
  contentType: string;
  width: number;
  height: number;
  durationMs: number;
}

/** The upscaler is chosen per task. */
type Plan = Omit<VideoPlan, "by" | "visibleLabel" | "labelAgreementId">;

/** Luma and chroma of 8, 10 or 12 bits, or luma alone; the result has 8 bits. */
const pixelFormats = /^(yuvj?4(20|22|44|40)p(1[02]le)?|nv12|p010le|gray(1[02]le)?)$/;
const transparent = /^(yuva|ya8|ya16|gbrap|rgba|bgra|argb|abgr)/;
/** HDR would lose its range in 8 bits. */
const brightTransfers: readonly string[] = ["smpte2084", "arib-std-b67"];
/** The height from which players derive the colour space if a video does not state it. */
const heightOfLarge = 720;
const interlaced: readonly string[] = ["tt", "bb", "tb", "bt"];

export interface PlannedVideo {
  kind: "planned";
  plan: Plan;
  codec: string;
  frames: VideoFrames["frames"];
}

/** The plan of an upscale, or why the source cannot be upscaled as a sentence for its owner. */
export async function planVideo(
  video: LocalVideo,
  target: UpscaleResolution,
): Promise<PlannedVideo | { kind: "fault"; fault: string }> {
  const listed = await listFrames(video.path, video.contentType);
  const first = listed?.frames[0];
  if (listed === null || first === undefined)
    return faulty("The frames of the source have no usable timestamps.");
  const { tick, frames, endsAt, startsAtSeconds, audioCodecs } = listed;
  if (transparent.test(listed.pixelFormat))
    return faulty("The source has an alpha channel. Convert it to an opaque video first.");
  if (!pixelFormats.test(listed.pixelFormat))
    return faulty(
      `The source has the pixel format ${listed.pixelFormat}; 8, 10 and 12 bit YUV are supported.`,
    );
  if (brightTransfers.includes(listed.transfer))
    return faulty(
      "The source has a high dynamic range (HDR). Convert it to a standard dynamic range first.",
    );
  const seconds = ((endsAt - first.at) * tick.over) / tick.under;
  if (frames.length > upscalerLimits.framesPerSecondMax * Math.max(1, seconds))
    return faulty(
      `The source has more than ${upscalerLimits.framesPerSecondMax} frames per second.`,
    );
  const aigc = await readAigc(video.path, video.contentType);
  const plan: Plan = {
    contentType: video.contentType,
    target,
    source: { width: video.width, height: video.height, durationMs: video.durationMs },
    ...upscaledSides(video, target),
    tick,
    startsAtSeconds,
    audioCodecs,
    endsAt,
    firstAt: first.at,
    isInterlaced: interlaced.includes(listed.fieldOrder),
    ...(listed.matrix === "unknown" ? { colours: coloursBy(video.height) } : {}),
    ...(aigc === null ? {} : { aigc }),
  };
  return { kind: "planned", plan, codec: listed.codec, frames };
}

function faulty(fault: string): { kind: "fault"; fault: string } {
  return { kind: "fault", fault };
}

/**
 * The output is high resolution whatever the source: without a stated colour space its colours would
 * be interpreted differently.
 */
function coloursBy(height: number) {
  return height < heightOfLarge ? "smpte170m" : "bt709";
}

export interface UpscaleSource {
  key: string;
  isOwned: boolean;
  /** Whether it is known to show a visible label. */
  showsLabel: boolean;
}

/** Records the segments, holds the price (`null`: already held) and notifies the workers. */
export async function startUpscale(
  ctx: UpscaleContext,
  taskId: TaskId,
  source: UpscaleSource,
  planned: PlannedVideo,
  price: Pick<Price, "credits" | "lines"> | null,
): Promise<Writing> {
  const task = await findOpenTask(ctx.db, taskId);
  const isTest = task?.isTest ?? false;
  const { plan, codec, frames } = isTest ? cutForTest(planned) : planned;
  const by = chooseUpscaler(ctx, { isTest, codec });
  const shown = await visibleLabelOf(ctx, task, { ...plan, by }, source);
  const video: VideoPlan = { ...plan, by, ...shown };
  const segments = upscalerOf(ctx, video).cut(video, frames);
  const writing = await insertUpscale(ctx.db, {
    taskId,
    price,
    sourceKey: source.key,
    ownsSource: source.isOwned,
    video,
    segments,
    testFramesPerDayMax: isTest ? ctx.config.testMode.upscaledFramesPerDayMax : null,
  });
  ctx.segmentSignal.notify();
  ctx.log.info({
    event: "upscale.planned",
    taskId,
    segments: segments.length,
    frames: frames.length,
  });
  return writing;
}

/** A label that the source shows is not drawn again. What a model did not make gets none. */
async function visibleLabelOf(
  ctx: UpscaleContext,
  task: Pick<OpenTask, "taskId" | "accountId"> | undefined,
  video: Pick<VideoPlan, "by" | "aigc">,
  { showsLabel }: UpscaleSource,
): Promise<Pick<VideoPlan, "visibleLabel" | "labelAgreementId">> {
  if (showsLabel) return { visibleLabel: "carried" };
  if (task === undefined || upscaleLabelOf(ctx, task.taskId, video) === null) return {};
  const duty = await findVisibleDuty(ctx, task);
  if (duty.kind === "freed") return { labelAgreementId: duty.agreementId };
  return duty.kind === "due" ? { visibleLabel: "draw" } : {};
}
