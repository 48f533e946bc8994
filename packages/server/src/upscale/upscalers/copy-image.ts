import { join } from "node:path";
import { type Confinement, confinedPath, runConfined } from "../../media/probe/confine.ts";
import { readingOptions } from "../../media/probe/probe.ts";

const memoryBytesMax = 1024 * 1024 * 1024;
const imageName = "image.mp4";

/**
 * The video stream alone, unchanged, in an MP4 in `dir` that starts with its first frame. Returns its
 * path.
 */
export async function copyImage(
  video: { path: string; contentType: string },
  run: { dir: string; msMax: number; bytesMax: number; signal: AbortSignal },
): Promise<string> {
  const within: Confinement = {
    inputs: { media: video.path },
    outputDir: run.dir,
    msMax: run.msMax,
    memoryBytesMax,
    fileBytesMax: run.bytesMax,
    stdoutBytesMax: 0,
    signal: run.signal,
  };
  const result = await runConfined(
    "/usr/bin/ffmpeg",
    [
      "-v",
      "error",
      "-nostdin",
      ...readingOptions(video.contentType),
      "-i",
      `file:${confinedPath(within, "in", "media")}`,
      "-map",
      "0:V:0",
      "-c",
      "copy",
      "-map_metadata",
      "-1",
      "-map_chapters",
      "-1",
      "-bitexact",
      "-f",
      "mp4",
      `file:${confinedPath(within, "out", imageName)}`,
    ],
    within,
  );
  run.signal.throwIfAborted();
  if (result.exitCode !== 0) throw new Error(`the image could not be copied: ${result.complaint}`);
  return join(run.dir, imageName);
}
