import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

const root = fileURLToPath(new URL("../../../../", import.meta.url));
/** Photographs under the MIT licence, from a dependency of the optional reviewer. */
const photographs = join(
  root,
  "packages/reviewer/node_modules/@vladmandic/human/assets/samples.jpg",
);

const lavfi = (source: string) => ["-f", "lavfi", "-i", source];
const photograph = (filters: string) => ["-i", photographs, "-vf", filters];
const size = "s=1280x720:r=5";
const text = (line: string, options: string) => `drawtext=font=Serif:text='${line}':${options}`;

/** The originals, drawn or taken at twice the size. */
const images: Record<string, string[]> = {
  "photograph, people": photograph("crop=1280:516:0:640"),
  "photograph, lamps": photograph("crop=1200:400:40:200"),
  "photograph, moving": [
    "-loop",
    "1",
    "-r",
    "10",
    "-t",
    "2",
    "-i",
    photographs,
    "-vf",
    "crop=1000:500:100+9*n:600",
  ],
  "photograph, grain": photograph("crop=1280:516:0:640,noise=alls=8:allf=t:all_seed=4"),
  "letters on a gradient": [
    ...lavfi(`gradients=${size}:d=2:seed=3:c0=navy:c1=orange:n=2`),
    "-vf",
    [
      text(
        "The quick brown fox jumps over the lazy dog",
        "fontsize=46:fontcolor=white:x=60+4*n:y=120",
      ),
      text("0123456789 sphinx of black quartz", "fontsize=28:fontcolor=black:x=80:y=300+3*n"),
      text("ZOETROPE", "fontsize=150:fontcolor=yellow:x=200:y=450"),
    ].join(","),
  ],
  "gradients alone": lavfi(`gradients=${size}:d=2:seed=7:n=6`),
  "gradients with noise": [
    ...lavfi(`gradients=${size}:d=2:seed=9`),
    "-vf",
    "noise=alls=12:allf=t:all_seed=4",
  ],
  fractal: [...lavfi(`mandelbrot=${size}:start_scale=0.3:end_scale=0.01:end_pts=60`), "-t", "3"],
  "test pattern": lavfi(`testsrc2=${size}:d=2`),
  cells: [
    ...lavfi("life=s=320x180:r=5:mold=10:ratio=0.2:seed=5:death_color=#C83232:life_color=#00ff00"),
    "-t",
    "2",
    "-vf",
    "scale=1280:720:flags=bicubic",
  ],
};

/** Draws them all, without loss; by name, where they are. */
export async function drawImages(dir: string): Promise<Map<string, string>> {
  await access(photographs);
  const paths = new Map<string, string>();
  for (const [name, args] of Object.entries(images)) {
    const path = join(dir, `${name.replaceAll(/\W+/g, "-")}.mkv`);
    const lossless = ["-pix_fmt", "yuv420p", "-c:v", "ffv1", path];
    await run("ffmpeg", ["-v", "error", "-nostdin", "-y", ...args, ...lossless]);
    paths.set(name, path);
  }
  return paths;
}
