import { join } from "node:path";
import type { SegmentPlan, VideoPlan } from "../../db/tables/upscale.ts";
import { measureFile } from "../../media/storage/fetch-object.ts";
import type { Storage } from "../../media/storage/storage.ts";
import { visibleSeconds } from "../../media/visible-label.ts";
import type { UpscaleResolution } from "../../models/request.ts";
import { cutVideo } from "../segments/cut-video.ts";
import { createSourceCache } from "../segments/source-cache.ts";
import { type EncoderPreset, upscaleSegment } from "./upscale-video.ts";
import type { Upscaler } from "./upscaler.ts";

/** Far above what crf asks of ordinary videos; it keeps 600 s of noise below what a store takes. */
const megabitsMax: Readonly<Record<UpscaleResolution, number>> = {
  "1080p": 20,
  "2k": 35,
  "4k": 50,
};
/** Ten times what a core of today needs at the default preset; slower presets take up to five times that. */
const msPerMegapixel = 400;
const startMsMax = 60_000;
const idleSources = { filesMax: 2, keptMs: 30_000 };

/** Lanczos and contrast-adaptive sharpening on this service's own processors. */
export function createFfmpegUpscaler(ctx: {
  storage: Storage;
  workDir: string;
  settings: Omit<EncoderPreset, "megabitsMax">;
  /** The size of a segment: output frames times their pixels. */
  segmentMegapixels: number;
}): Upscaler {
  const sources = createSourceCache(ctx.storage, join(ctx.workDir, "sources"), idleSources);
  return {
    cut: (video, frames) => cutVideo(video, frames, ctx.segmentMegapixels),
    work: ({ video, segment, sourceKey }, run) =>
      sources.use(sourceKey, async (path) => {
        const settings = { ...ctx.settings, megabitsMax: megabitsMax[video.target] };
        const msMax = startMsMax + msPerMegapixel * megapixelsOf(video, segment);
        const file = await upscaleSegment(path, requestOf(video, segment), settings, {
          ...run,
          msMax,
        });
        return { kind: "done", path: file, ...(await measureFile(file)) };
      }),
  };
}

function requestOf(video: VideoPlan, segment: SegmentPlan) {
  const { contentType, tick, width, height, isInterlaced, colours, firstAt, endsAt } = video;
  const isMarked = video.isTest === true;
  const labelUntil = labelEndOf(video);
  return {
    contentType,
    tick,
    width,
    height,
    isInterlaced,
    colours: colours ?? null,
    from: segment.from,
    to: segment.to >= endsAt && !isMarked ? null : segment.to, // of a test, the source goes on
    isMarked,
    labelUntil: labelUntil !== null && segment.from < labelUntil ? labelUntil : null,
    isFirst: segment.from === firstAt,
  };
}

/** Into the result of a vendor the label is drawn when it is joined, whoever upscales it. */
function labelEndOf({ by, visibleLabel, firstAt, tick }: VideoPlan): number | null {
  if (by !== "us" || visibleLabel !== "draw") return null;
  return firstAt + Math.ceil((visibleSeconds * tick.under) / tick.over);
}

function megapixelsOf({ width, height }: VideoPlan, { frames }: SegmentPlan): number {
  return (frames * width * height) / 1_000_000;
}
