import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Confinement, confinedPath, runConfined } from "../../media/probe/confine.ts";
import type { VideoFrames } from "../../media/probe/list-frames.ts";
import { readingOptions } from "../../media/probe/probe.ts";
import { type Segment, timescaleOf } from "../upscalers/upscale-video.ts";

const memoryBytesMax = 1024 * 1024 * 1024;
/** Codecs that MP4 players support; other audio is encoded again, in one pass. */
const keptAudioCodecs: readonly string[] = ["aac", "mp3"];
const joinedName = "joined.mp4";
const microsecondsPerSecond = 1_000_000;

/** The segments of a video, each with its length in ticks, and the source for its audio. */
export interface Parts {
  source: { path: string; contentType: string };
  video: Pick<VideoFrames, "tick" | "startsAtSeconds" | "audioCodecs"> & { firstAt: number };
  segments: { path: string; ticks: number }[];
  /** The length of the source's audio that is kept; `null`: all of it. */
  secondsMax: number | null;
  /** The frames of the segments have timestamps that the video's time base may not represent. */
  hasOwnTimes: boolean;
  /** The implicit label of the result; `null`: none. Other metadata of the source is not kept. */
  aigc: string | null;
  bytesMax: number;
}

/**
 * Joins the segments without re-encoding and adds the source's audio unchanged: the audio is never
 * cut, so there is no audible seam. Returns the path of an MP4 in `dir`.
 */
export async function joinSegments(
  { source, video, segments, secondsMax, hasOwnTimes, aigc, bytesMax }: Parts,
  run: { dir: string; msMax: number },
): Promise<string> {
  const list = join(run.dir, "list");
  const within: Confinement = {
    inputs: {
      source: source.path,
      list,
      ...Object.fromEntries(segments.map(({ path }, index) => [String(index), path])),
    },
    outputDir: run.dir,
    msMax: run.msMax,
    memoryBytesMax,
    fileBytesMax: bytesMax,
    stdoutBytesMax: 0,
  };
  const pathOf = (name: string) => confinedPath(within, "in", name);
  await writeFile(list, listOf(segments, video.tick, pathOf));
  const result = await runConfined(
    "/usr/bin/ffmpeg",
    [
      "-v",
      "error",
      "-nostdin",
      "-protocol_whitelist",
      "file",
      "-format_whitelist",
      "concat,mov",
      "-codec_whitelist",
      "h264",
      "-itsoffset",
      lateBy(video).toFixed(6),
      "-f",
      "concat",
      "-safe",
      "0",
      "-i",
      `file:${pathOf("list")}`,
      ...readingOptions(source.contentType),
      "-i",
      `file:${pathOf("source")}`,
      "-map",
      "0:v:0",
      "-map",
      "1:a?",
      "-c",
      "copy",
      ...audioOptions(video.audioCodecs),
      ...(secondsMax === null ? [] : ["-t", (lateBy(video) + secondsMax).toFixed(6)]),
      "-map_metadata",
      "-1",
      "-map_chapters",
      "-1",
      ...(aigc === null ? [] : ["-metadata", `AIGC=${aigc}`]),
      "-bitexact",
      ...(hasOwnTimes ? [] : ["-video_track_timescale", String(timescaleOf(video.tick))]),
      "-movflags",
      "+faststart+use_metadata_tags",
      "-f",
      "mp4",
      `file:${confinedPath(within, "out", joinedName)}`,
    ],
    within,
  );
  if (result.exitCode !== 0)
    throw new Error(`the segments could not be joined: ${result.complaint}`);
  return join(run.dir, joinedName);
}

/**
 * Durations are in microseconds, which are rarely whole ticks. Each is the difference of two rounded
 * times, so that rounding errors do not add up.
 */
function listOf(
  segments: Parts["segments"],
  { over, under }: Segment["tick"],
  pathOf: (name: string) => string,
): string {
  const timeAt = (ticks: number) => Math.round((ticks * over * microsecondsPerSecond) / under);
  let ticksBefore = 0;
  const lines = segments.map(({ ticks }, index) => {
    const from = ticksBefore;
    ticksBefore += ticks;
    const seconds = (timeAt(ticksBefore) - timeAt(from)) / microsecondsPerSecond;
    return `file '${pathOf(String(index))}'\nduration ${seconds.toFixed(6)}\n`;
  });
  return `ffconcat version 1.0\n${lines.join("")}`;
}

/** Returns the delay of the video stream relative to the file: audio may come first. */
function lateBy({ tick, firstAt, startsAtSeconds }: Parts["video"]): number {
  return Math.max(0, (firstAt * tick.over) / tick.under - startsAtSeconds);
}

function audioOptions(audioCodecs: readonly string[]): string[] {
  return audioCodecs.flatMap((codec, index) =>
    keptAudioCodecs.includes(codec) ? [] : [`-c:a:${index}`, "aac", `-b:a:${index}`, "192k"],
  );
}
