import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openImage } from "../image/open-image.ts";
import { usualFrameOf } from "./usual-frames.ts";

let scratch: Scratch;
/** A key frame at 0 alone; black up to half a second, then white. */
let fading: string;
beforeAll(async () => {
  scratch = await makeScratch("frames");
  fading = await render("fading", "color=black:s=320x180:r=10:d=1.5,negate=enable='gte(t,0.5)'");
});
afterAll(() => scratch.remove());

function render(name: string, source: string): Promise<string> {
  const path = join(scratch.path, `${name}.mp4`);
  return renderFile(path, [...lavfi(source), "-pix_fmt", "yuv420p", "-g", "250"]);
}

const frameOf = (path: string, frame: "exact" | "key") =>
  usualFrameOf({
    ...{ path, contentType: "video/mp4", atMs: 1_000, frame, sideMax: 100 },
    workDir: scratch.path,
  });

async function colourOf(png: Buffer | null) {
  if (png === null) return null;
  const { data, info } = await openImage(png).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: [...data.subarray(0, 3)] };
}

test("a key frame is the one before the time, an exact one is at the time", async () => {
  const [key, exact] = await Promise.all([frameOf(fading, "key"), frameOf(fading, "exact")]);
  const sides = { width: 100, height: 56 };
  expect(await colourOf(key)).toEqual({ ...sides, rgb: [0, 0, 0] });
  expect(await colourOf(exact)).toEqual({ ...sides, rgb: [255, 255, 255] });
});

test("each of many videos asked for at once gets its own frame", async () => {
  const colours = Array.from({ length: 20 }, (_, n) => [10 * n, 255 - 10 * n, 128]);
  const paths: string[] = [];
  for (const [n, [r = 0, g = 0, b = 0]] of colours.entries()) {
    const hex = [r, g, b].map((value) => value.toString(16).padStart(2, "0")).join("");
    paths.push(await render(`colour-${n}`, `color=0x${hex}:s=64x64:r=5:d=0.6`));
  }
  const frames = await Promise.all(paths.map((path) => frameOf(path, "key")));
  for (const [n, frame] of frames.entries()) {
    const { rgb = [] } = (await colourOf(frame)) ?? {};
    const apart = rgb.map((value, at) => Math.abs(value - (colours[n]?.[at] ?? 0)));
    expect(Math.max(...apart)).toBeLessThan(8);
  }
});

test("a frame that is damaged in the middle is a frame, and those beside it are whole", async () => {
  const whole = await render("whole", "testsrc2=s=320x180:r=10:d=1");
  const bytes = await readFile(whole);
  const image = bytes.indexOf("mdat") + 1_000; // behind the encoder's note of 700 bytes
  for (let at = image; at < bytes.indexOf("moov"); at++) bytes[at] = (at * at) % 251;
  const damaged = join(scratch.path, "damaged.mp4");
  await writeFile(damaged, bytes);
  const [before, shown, after] = await Promise.all(
    [whole, damaged, whole].map((path) => frameOf(path, "key")),
  );
  expect(shown).not.toBeNull();
  expect(shown).not.toEqual(before);
  expect(after).toEqual(before);
});

test("a video that cannot be read fails alone, and those beside it get their frames", async () => {
  const broken = join(scratch.path, "broken.mp4");
  await writeFile(broken, "no video");
  const missing = join(scratch.path, "missing.mp4");
  const paths = [fading, broken, fading, missing, fading, fading];
  const results = await Promise.allSettled(paths.map((path) => frameOf(path, "exact")));
  expect(results.map(({ status }) => status)).toEqual([
    ...["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled", "fulfilled"],
  ]);
});
