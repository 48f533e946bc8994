import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { serveFile } from "@zoetrope/testkit/serve-files.ts";

const run = promisify(execFile);

const framesPerSecond = 4;

/** Makes a clip with audio and a key frame every two seconds, and serves it. */
export async function offerClip(
  dir: string,
  seconds: number,
): Promise<AsyncDisposable & { url: string }> {
  const path = join(dir, "clip.mp4");
  await run("ffmpeg", [
    "-v",
    "error",
    "-y",
    "-f",
    "lavfi",
    "-i",
    `testsrc2=s=160x90:r=${framesPerSecond}:d=${seconds}`,
    "-f",
    "lavfi",
    "-i",
    `sine=f=440:d=${seconds}`,
    "-c:v",
    "libx264",
    "-bf",
    "2",
    "-g",
    String(2 * framesPerSecond),
    "-pix_fmt",
    "yuv420p",
    "-c:a",
    "aac",
    path,
  ]);
  return serveFile(path);
}
