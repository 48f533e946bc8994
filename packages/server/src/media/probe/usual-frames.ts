import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createBatch } from "../../db/batch.ts";
import { type Confinement, confinedPath, runConfined } from "./confine.ts";
import { frameOptions } from "./extract-frame.ts";
import { readingOptions } from "./probe.ts";

/** A task waits 30 s for its poster: once in a batch, and once alone if the batch fails. */
const msMax = 14_000;
/** Enough for eight videos in 4k. */
const memoryBytesMax = 1024 * 1024 * 1024;
const frameBytesMax = 64 * 1024 * 1024;
/** The start of ffmpeg costs as much as six frames. */
const videosMax = 8;

interface UsualVideo {
  path: string;
  contentType: string;
  atMs: number;
  /** The frame at that time, or the key frame before it, for which no other has to be decoded. */
  frame: "exact" | "key";
  sideMax: number;
  /** Not the folder of the video, which its caller may remove before the others have their frames. */
  workDir: string;
}

/**
 * A frame of a video, as PNG with sides of at most `sideMax`; null if there is none, and an error if the
 * video cannot be read. What is asked for at the same moment shares one start of ffmpeg, so only videos
 * of vendors in their usual form and our own: one that broke ffmpeg could change the frames of others.
 */
export const usualFrameOf = createBatch<UsualVideo, Buffer | null>({
  rowsMax: videosMax,
  crowd: videosMax,
  keyOf: ({ path }) => path,
  run: extractFrames,
});

async function extractFrames(videos: readonly UsualVideo[]): Promise<(Buffer | null)[]> {
  const [first] = videos;
  if (first === undefined) return [];
  await mkdir(first.workDir, { recursive: true });
  const dir = await mkdtemp(join(first.workDir, "frames-"));
  try {
    const within: Confinement = {
      inputs: Object.fromEntries(videos.map(({ path }, place) => [place, path])),
      outputDir: dir,
      ...{ msMax, memoryBytesMax, fileBytesMax: frameBytesMax, stdoutBytesMax: 0 },
    };
    const args = [
      ...["-v", "error", "-nostdin", "-filter_threads", "1"],
      ...["-max_error_rate", "1"], // a damaged frame is shown as it is, and fails no other
      ...videos.flatMap((video, place) => [
        ...["-threads", "1", ...readingOptions(video.contentType), ...positionOf(video)],
        ...["-i", `file:${confinedPath(within, "in", String(place))}`],
      ]),
      ...videos.flatMap(({ sideMax }, place) => [
        ...frameOptions(place, sideMax),
        ...["-vsync", "passthrough", "-compression_level", "0"],
        `file:${confinedPath(within, "out", `${place}.png`)}`,
      ]),
    ];
    const { exitCode, complaint } = await runConfined("/usr/bin/ffmpeg", args, within);
    if (exitCode !== 0) throw new Error(`ffmpeg: ${complaint.trim() || "ended by a limit"}`);
    const read = (_: UsualVideo, place: number) =>
      readFile(join(dir, `${place}.png`)).catch(() => null); // without a frame there is no file
    return await Promise.all(videos.map(read));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function positionOf({ atMs, frame }: UsualVideo): string[] {
  const seek = ["-ss", (atMs / 1000).toFixed(3)];
  return frame === "exact" ? seek : ["-skip_frame", "nokey", "-noaccurate_seek", ...seek];
}
