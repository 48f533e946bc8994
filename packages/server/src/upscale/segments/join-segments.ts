import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Confinement, confinedPath, runConfined } from "../../media/probe/confine.ts";
import type { VideoFrames } from "../../media/probe/list-frames.ts";
import { readingOptions } from "../../media/probe/probe.ts";
import { type Segment, timescaleOf } from "../upscalers/upscale-video.ts";

const memoryBytesMax = 1024 * 1024 * 1024;
/** What players of MP4 know; other sound is encoded anew, once and in one segment. */
const keptSounds: readonly string[] = ["aac", "mp3"];
const joinedName = "joined.mp4";
const microsecondsPerSecond = 1_000_000;

/** The segments of a video, each with its own length in ticks, and the source for its sound. */
export interface Parts {
  source: { path: string; contentType: string };
  video: Pick<VideoFrames, "tick" | "startsAtSeconds" | "sounds"> & { firstAt: number };
  segments: { path: string; ticks: number }[];
  /** The segments' frames are shown at times that the video's ticks may not name. */
  hasOwnTimes: boolean;
  bytesMax: number;
}

/**
 * Puts the segments together without touching an image, and the source's sound beside them as it was:
 * the sound is never cut, so there is no seam to hear. Answers the path of an MP4 in `dir`.
 */
export async function joinSegments(
  { source, video, segments, hasOwnTimes, bytesMax }: Parts,
  run: { dir: string; msMax: number },
): Promise<string> {
  const list = join(run.dir, "list");
  const within: Confinement = {
    inputs: {
      source: source.path,
      list,
      ...Object.fromEntries(segments.map(({ path }, place) => [String(place), path])),
    },
    outputDir: run.dir,
    ...{ msMax: run.msMax, memoryBytesMax, fileBytesMax: bytesMax, stdoutBytesMax: 0 },
  };
  const pathOf = (name: string) => confinedPath(within, "in", name);
  await writeFile(list, listOf(segments, video.tick, pathOf));
  const result = await runConfined(
    "/usr/bin/ffmpeg",
    [
      ...["-v", "error", "-nostdin", "-protocol_whitelist", "file", "-format_whitelist"],
      ...["concat,mov", "-codec_whitelist", "h264", "-itsoffset", lateBy(video).toFixed(6)],
      ...["-f", "concat", "-safe", "0", "-i", `file:${pathOf("list")}`],
      ...[...readingOptions(source.contentType), "-i", `file:${pathOf("source")}`],
      ...["-map", "0:v:0", "-map", "1:a?", "-c", "copy", ...soundOptions(video.sounds)],
      ...["-map_metadata", "-1", "-map_chapters", "-1", "-bitexact"],
      ...(hasOwnTimes ? [] : ["-video_track_timescale", String(timescaleOf(video.tick))]),
      ...[
        "-movflags",
        "+faststart",
        "-f",
        "mp4",
        `file:${confinedPath(within, "out", joinedName)}`,
      ],
    ],
    within,
  );
  if (result.exitCode !== 0)
    throw new Error(`the segments could not be joined: ${result.complaint}`);
  return join(run.dir, joinedName);
}

/**
 * A length is told in millionths of a second, which seldom are whole ticks. Each is the difference of
 * two rounded times, so that what is cut off one is in the next and no video grows with its segments.
 */
function listOf(
  segments: Parts["segments"],
  { over, under }: Segment["tick"],
  pathOf: (name: string) => string,
): string {
  const timeAt = (ticks: number) => Math.round((ticks * over * microsecondsPerSecond) / under);
  let ticksBefore = 0;
  const lines = segments.map(({ ticks }, place) => {
    const from = ticksBefore;
    ticksBefore += ticks;
    const seconds = (timeAt(ticksBefore) - timeAt(from)) / microsecondsPerSecond;
    return `file '${pathOf(String(place))}'\nduration ${seconds.toFixed(6)}\n`;
  });
  return `ffconcat version 1.0\n${lines.join("")}`;
}

/** How much later than the video its image begins: sound may come first. */
function lateBy({ tick, firstAt, startsAtSeconds }: Parts["video"]): number {
  return Math.max(0, (firstAt * tick.over) / tick.under - startsAtSeconds);
}

function soundOptions(sounds: readonly string[]): string[] {
  return sounds.flatMap((codec, place) =>
    keptSounds.includes(codec) ? [] : [`-c:a:${place}`, "aac", `-b:a:${place}`, "192k"],
  );
}
