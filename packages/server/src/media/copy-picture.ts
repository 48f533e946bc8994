import { join } from "node:path";
import { type Confinement, confinedPath, runConfined } from "./confine.ts";
import { readingOptions } from "./probe.ts";

const memoryBytesMax = 1024 * 1024 * 1024;
const pictureName = "picture.mp4";

/**
 * The picture of a film and nothing else of it, untouched, in an MP4 in `dir`: what begins with its first
 * frame, whatever was heard before. Answers its path.
 */
export async function copyPicture(
  film: { path: string; contentType: string },
  run: { dir: string; msMax: number; bytesMax: number; signal: AbortSignal },
): Promise<string> {
  const within: Confinement = {
    inputs: { media: film.path },
    outputDir: run.dir,
    ...{ msMax: run.msMax, memoryBytesMax, fileBytesMax: run.bytesMax, stdoutBytesMax: 0 },
    signal: run.signal,
  };
  const result = await runConfined(
    "/usr/bin/ffmpeg",
    [
      ...["-v", "error", "-nostdin", ...readingOptions(film.contentType)],
      ...["-i", `file:${confinedPath(within, "in", "media")}`, "-map", "0:V:0", "-c", "copy"],
      ...["-map_metadata", "-1", "-map_chapters", "-1", "-bitexact"],
      ...["-f", "mp4", `file:${confinedPath(within, "out", pictureName)}`],
    ],
    within,
  );
  run.signal.throwIfAborted();
  if (result.exitCode !== 0)
    throw new Error(`the picture could not be copied: ${result.complaint}`);
  return join(run.dir, pictureName);
}
