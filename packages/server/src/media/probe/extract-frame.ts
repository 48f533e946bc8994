import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Confinement, confinedPath, runConfined } from "./confine.ts";
import { readingOptions } from "./probe.ts";

const extractMsMax = 60_000;
const memoryBytesMax = 1024 * 1024 * 1024;
const frameBytesMax = 64 * 1024 * 1024;
const frameName = "frame.png";

interface FrameOptions {
  sideMax?: number;
  /**
   * `key`: the key frame at or before the time, for which no other frame has to be decoded. A damaged
   * one is returned as it is.
   */
  frame?: "exact" | "key";
}

/**
 * The frame of a video at a time, or a BMP, as PNG with sides of at most `sideMax`. Null if there is
 * none: after the last frame, or if it cannot be decoded. `dir` is a folder of the caller.
 */
export async function extractFrame(
  path: string,
  contentType: string,
  atMs: number | null,
  dir: string,
  { sideMax = 1_280, frame = "exact" }: FrameOptions = {},
): Promise<Buffer | null> {
  const within: Confinement = {
    inputs: { media: path },
    outputDir: dir,
    msMax: extractMsMax,
    memoryBytesMax,
    fileBytesMax: frameBytesMax,
    stdoutBytesMax: 0,
  };
  const seek = atMs === null ? [] : ["-ss", (atMs / 1000).toFixed(3)];
  const at = frame === "exact" ? seek : ["-skip_frame", "nokey", "-noaccurate_seek", ...seek];
  const onDamage = frame === "exact" ? [] : ["-max_error_rate", "1"];
  const early = frame === "exact" ? [] : ["-vsync", "passthrough"]; // else a frame before the time is dropped
  const input = ["-i", `file:${confinedPath(within, "in", "media")}`];
  await rm(join(dir, frameName), { force: true });
  const result = await runConfined(
    "/usr/bin/ffmpeg",
    [
      "-v",
      "error",
      "-nostdin",
      ...onDamage,
      "-threads",
      "1",
      ...readingOptions(contentType),
      ...at,
      ...input,
      ...frameOptions(sideMax),
      ...early,
      `file:${confinedPath(within, "out", frameName)}`,
    ],
    within,
  );
  if (result.exitCode !== 0) return null;
  return readFile(join(dir, frameName)).catch(() => null); // without a frame there is no file
}

/** Returns the options of ffmpeg for one frame of the input, as PNG. */
function frameOptions(sideMax: number): string[] {
  const smaller = `scale=w='min(${sideMax},iw)':h='min(${sideMax},ih)':force_original_aspect_ratio=decrease`;
  return [
    // The stream that was probed: the first that is not a cover image.
    "-map",
    "0:V:0",
    "-frames:v",
    "1",
    "-vf",
    smaller,
    "-pix_fmt",
    "rgb24",
    "-threads",
    "1",
    "-c:v",
    "png",
    "-f",
    "image2",
    "-update",
    "1",
  ];
}
