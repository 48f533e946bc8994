import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Footage as an encoder meets it: colours that drift, things that move,
 * edges and letters, and grain over it all. 30 frames a second, a key frame every two seconds.
 */
export async function makeClip(path: string, seconds: number): Promise<void> {
  const size = "s=640x360:r=30";
  const inputs = [
    `gradients=${size}:d=${seconds}:n=5:speed=0.02:seed=7`,
    `testsrc2=${size}:d=${seconds}`,
    `sine=f=330:d=${seconds}`,
  ].flatMap((source) => ["-f", "lavfi", "-i", source]);
  const image =
    "[1:v]rotate=0.1*sin(t):ow=640:oh=360[moving];" +
    "[0:v]format=yuv420p[drift];[moving]format=yuv420p[shapes];" +
    "[drift][shapes]blend=all_mode=average,noise=alls=4:allf=t:all_seed=3[v]";
  await run("ffmpeg", [
    "-v",
    "error",
    "-nostdin",
    "-y",
    ...inputs,
    "-filter_complex",
    image,
    "-map",
    "[v]",
    "-map",
    "2:a",
    "-c:v",
    "libx264",
    "-preset",
    "veryfast",
    "-crf",
    "20",
    "-g",
    "60",
    "-keyint_min",
    "60",
    "-sc_threshold",
    "0",
    "-c:a",
    "aac",
    "-b:a",
    "128k",
    path,
  ]);
}
