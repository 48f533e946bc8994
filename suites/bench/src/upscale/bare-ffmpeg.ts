import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import type { Config } from "@zoetrope/server/settings/config.ts";
import { encoderOf, filtersOf } from "@zoetrope/server/upscale/upscalers/upscale-video.ts";
import { readEndedCpuSeconds } from "@zoetrope/testkit/cpu-time.ts";

const run = promisify(execFile);

const video = {
  contentType: "video/mp4",
  tick: { over: 1, under: 15_360 },
  isFirst: true,
  from: 0,
  to: null,
  isInterlaced: false,
  isMarked: false,
  labelUntil: null,
  colours: "smpte170m",
  width: 1920,
  height: 1080,
};

/** The service's filters and encoder on one thread in one run, with the audio copied. */
export async function upscaleBare(clip: string, result: string, config: Config) {
  const settings = {
    preset: config.upscale.preset,
    crf: config.upscale.crf,
    sharpness: config.upscale.sharpness,
    megabitsMax: 20,
  };
  const before = await readEndedCpuSeconds();
  const startedAt = performance.now();
  await run("ffmpeg", [
    "-v",
    "error",
    "-nostdin",
    "-y",
    "-threads",
    "1",
    "-i",
    clip,
    "-map",
    "0:V:0",
    "-map",
    "0:a",
    "-filter_threads",
    "1",
    "-vf",
    filtersOf(video, settings),
    "-fps_mode",
    "passthrough",
    ...encoderOf(settings),
    "-c:a",
    "copy",
    "-movflags",
    "+faststart",
    result,
  ]);
  return {
    cpuSeconds: (await readEndedCpuSeconds()) - before,
    wallSeconds: (performance.now() - startedAt) / 1_000,
    bytes: (await stat(result)).size,
  };
}
