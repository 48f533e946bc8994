import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { filtersOf } from "./upscale-video.ts";

const run = promisify(execFile);
const sides = { width: 640, height: 360 };

/** The luma of a smooth image, made larger. */
async function upscaleSmooth(filters: string): Promise<Buffer> {
  const source = [
    "-f",
    "lavfi",
    "-i",
    "gradients=s=320x180:n=2:c0=navy:c1=orange:x0=0:y0=0:x1=319:y1=179:d=1,format=yuv420p",
  ];
  const luma = ["-frames:v", "1", "-f", "rawvideo", "-"];
  const args = ["-v", "error", "-nostdin", ...source, "-vf", filters, ...luma];
  const { stdout } = await run("ffmpeg", args, { encoding: "buffer", maxBuffer: 10_000_000 });
  return stdout.subarray(0, sides.width * sides.height);
}

function filtersAt(sharpness: number): string {
  const whole = {
    from: 0,
    to: null,
    isFirst: true,
    isInterlaced: false,
    isMarked: false,
    labelUntil: null,
    colours: null,
  };
  const video = { contentType: "video/mp4", tick: { over: 1, under: 25 }, ...whole, ...sides };
  return filtersOf(video, { preset: "ultrafast", crf: 20, megabitsMax: 20, sharpness });
}

const plain = "scale=640:360:flags=lanczos,format=yuv420p";
const brightness = (luma: Buffer) => luma.reduce((sum, value) => sum + value, 0) / luma.length;

test("a sharpness of 0 is plain Lanczos", async () => {
  const [ours, theirs] = [await upscaleSmooth(filtersAt(0)), await upscaleSmooth(plain)];
  expect(ours.equals(theirs)).toBe(true);
});

test("sharpening leaves smooth areas as bright as they are", async () => {
  const [before, after] = [await upscaleSmooth(plain), await upscaleSmooth(filtersAt(0.4))];
  expect(Math.abs(brightness(after) - brightness(before))).toBeLessThan(0.05);
});
