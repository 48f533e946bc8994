import { type Confinement, confinedPath, runConfined } from "./confine.ts";
import { readingOptions } from "./probe.ts";

const extractMsMax = 60_000;
const memoryBytesMax = 1024 * 1024 * 1024;
/** The side of a frame, whatever the ratio of the video's sides. */
export const frameSide = 64;
const frameBytes = 4 * frameSide * frameSide;
/** Rounded up, so that each is the frame that is shown at its time, and the first one the very first. */
const framesPerSecond = 4;
/** At 0, 0.25, 0.5, 0.75 and 1 s. */
const framesMax = 5;
const secondsMax = 1.5;

/** Returns the first frames of a video as small RGBA pictures; none if it cannot be decoded. */
export async function extractPixels(path: string, contentType: string): Promise<Buffer[]> {
  const within: Confinement = {
    inputs: { media: path },
    msMax: extractMsMax,
    memoryBytesMax,
    fileBytesMax: 0,
    stdoutBytesMax: framesMax * frameBytes,
  };
  const { stdoutBytes } = await runConfined(
    "/usr/bin/ffmpeg",
    [
      "-v",
      "error",
      "-nostdin",
      "-threads",
      "1",
      ...readingOptions(contentType),
      "-t",
      String(secondsMax),
      "-i",
      `file:${confinedPath(within, "in", "media")}`,
      // The stream that was probed: the first that is not a cover image.
      "-map",
      "0:V:0",
      "-vf",
      `fps=${framesPerSecond}:start_time=0:round=up,scale=${frameSide}:${frameSide}:flags=area,format=rgba`,
      "-frames:v",
      String(framesMax),
      "-threads",
      "1",
      "-f",
      "rawvideo",
      "pipe:1",
    ],
    within,
  );
  const count = Math.floor(stdoutBytes.length / frameBytes);
  return Array.from({ length: count }, (_, at) =>
    stdoutBytes.subarray(at * frameBytes, (at + 1) * frameBytes),
  );
}
