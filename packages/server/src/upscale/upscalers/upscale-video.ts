import { join } from "node:path";
import { type Confinement, confinedPath, runConfined } from "../../media/probe/confine.ts";
import { readingOptions } from "../../media/probe/probe.ts";
import { drawLabelAfter, placeLabel, visibleLabelPath } from "../../media/visible-label.ts";
import { testMark } from "./test-mark.ts";

/** An upscaled segment: H.264 of 8 bits and 4:2:0, with the frame times of the source. */
export interface Segment {
  contentType: string;
  tick: { over: number; under: number };
  /** In ticks: the frames from here on and before there. `null`: from the beginning, to the end. */
  from: number;
  to: number | null;
  isFirst: boolean;
  isInterlaced: boolean;
  /** The colour metadata to write; `null`: that of the source. */
  colours: string | null;
  width: number;
  height: number;
  /** Whether its frames say that they are a test. */
  isMarked: boolean;
  /** In ticks: the frames before there show the visible label. `null`: none of them. */
  labelUntil: number | null;
}

/** The settings of the encoder. */
export interface EncoderPreset {
  preset: string;
  crf: number;
  /** Contrast-adaptive sharpening after Lanczos, from 0 to 1. */
  sharpness: number;
  /** The maximum bit rate of a video with much motion or detail. */
  megabitsMax: number;
}

const memoryBytesMax = 4 * 1024 * 1024 * 1024;
const progressBytesMax = 64 * 1024 * 1024;
const segmentName = "segment.mp4";

/**
 * Encodes a segment of a local video into `dir` on one thread: segments run in parallel, and one
 * thread is deterministic. Returns the path of the file.
 */
export async function upscaleSegment(
  path: string,
  segment: Segment,
  settings: EncoderPreset,
  run: { dir: string; msMax: number; signal: AbortSignal; onFrames: (frames: number) => void },
): Promise<string> {
  const within: Confinement = {
    inputs: { media: path, ...(segment.labelUntil === null ? {} : { label: visibleLabelPath }) },
    outputDir: run.dir,
    msMax: run.msMax,
    memoryBytesMax,
    stdoutBytesMax: progressBytesMax,
    fileBytesMax: bytesMaxOf(segment, settings),
    signal: run.signal,
  };
  const result = await runConfined(
    "/usr/bin/ffmpeg",
    [
      "-v",
      "error",
      "-nostdin",
      "-nostats",
      "-progress",
      "pipe:1",
      "-copyts",
      ...seekTo(segment),
      "-threads",
      "1",
      ...readingOptions(segment.contentType),
      "-i",
      `file:${confinedPath(within, "in", "media")}`,
      "-map",
      "0:V:0",
      "-filter_threads",
      "1",
      "-vf",
      graphOf(segment, settings, (name) => confinedPath(within, "in", name)),
      "-fps_mode",
      "passthrough",
      "-enc_time_base",
      "-1",
      ...encoderOf(settings),
      "-video_track_timescale",
      String(timescaleOf(segment.tick)),
      "-bitexact",
      "-f",
      "mp4",
      `file:${confinedPath(within, "out", segmentName)}`,
    ],
    within,
    (line) => {
      const [name, value] = line.split("=", 2);
      if (name === "frame") run.onFrames(Number(value) || 0);
    },
  );
  run.signal.throwIfAborted();
  if (result.exitCode !== 0) throw new Error(`ffmpeg failed: ${result.complaint}`);
  return join(run.dir, segmentName);
}

export function encoderOf({ preset, crf, megabitsMax }: EncoderPreset): string[] {
  return [
    "-c:v",
    "libx264",
    "-threads",
    "1",
    "-preset",
    preset,
    "-crf",
    String(crf),
    "-maxrate",
    `${megabitsMax}M`,
    "-bufsize",
    `${2 * megabitsMax}M`,
  ];
}

/**
 * Returns the options that seek to the key frame at or before the segment; what comes before its first
 * frame is trimmed. Fields are deinterlaced with the frame before, so that frame is needed, too.
 */
function seekTo({ isFirst, isInterlaced, from, tick }: Segment): string[] {
  if (isFirst) return [];
  const microsecondsAt = (ticks: number) => (ticks * tick.over * 1_000_000) / tick.under;
  const microseconds = isInterlaced
    ? Math.floor(microsecondsAt(from - 1))
    : Math.ceil(microsecondsAt(from));
  return ["-noaccurate_seek", "-seek_timestamp", "1", "-ss", (microseconds / 1_000_000).toFixed(6)];
}

/** The label comes after all else: it is not sharpened, and lies above the mark of a test. */
function graphOf(
  segment: Segment,
  settings: EncoderPreset,
  pathOf: (name: string) => string,
): string {
  const filters = filtersOf(segment, settings);
  const { labelUntil, from, tick } = segment;
  if (labelUntil === null) return filters;
  return drawLabelAfter([filters], {
    path: pathOf("label"),
    place: placeLabel(segment),
    tick,
    pixelFormat: "yuv420p",
    untilSeconds: ((labelUntil - from) * tick.over) / tick.under,
  });
}

/** ffmpeg turns the image upright before these. Sharpening comes last: it sees what will be seen. */
export function filtersOf(segment: Segment, { sharpness }: EncoderPreset): string {
  const { from, to, width, height, colours } = segment;
  return [
    ...(segment.isInterlaced ? deinterlacingOf(segment) : []),
    `trim=start_pts=${from}${to === null ? "" : `:end_pts=${to}`}`,
    `setpts=PTS-${from}`,
    `scale=${width}:${height}:flags=lanczos`,
    "setsar=1",
    ...(colours === null
      ? []
      : [`setparams=colorspace=${colours}:color_primaries=${colours}:color_trc=${colours}`]),
    ...(sharpness > 0 ? sharpeningOf(sharpness) : []),
    "format=yuv420p",
    ...(segment.isMarked ? testMark : []),
  ].join(",");
}

/** One frame for each, after which the filter counts in half ticks; segments are cut in whole ones. */
function deinterlacingOf({ tick }: Segment): string[] {
  return ["bwdif=mode=send_frame:deint=interlaced", `settb=${tick.over}/${tick.under}`];
}

/**
 * The filter cuts fractions off, which in 8 bits darkens smooth areas by half a step and costs more
 * than sharpening gains. So it sees 16 bits, and these are rounded to 8. Its zero sharpens a little.
 */
function sharpeningOf(sharpness: number): string[] {
  return ["format=yuv420p16", `cas=${sharpness}`, "zscale=dither=none"];
}

/** A clock that counts the source's ticks exactly; very fine ones are beyond what players take. */
export function timescaleOf({ under }: Segment["tick"]): number {
  return Math.min(under, 1_000_000);
}

function bytesMaxOf({ from, to, tick }: Segment, { megabitsMax }: EncoderPreset): number {
  const seconds = to === null ? 600 : ((to - from) * tick.over) / tick.under;
  return Math.ceil((seconds + 10) * megabitsMax * 125_000 * 2);
}
