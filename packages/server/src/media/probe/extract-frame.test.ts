import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openImage } from "../image/decoder/open-image.js";
import { extractFrame } from "./extract-frame.ts";

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
  extractFrame(path, "video/mp4", 1_000, scratch.path, { sideMax: 100, frame });

async function colourOf(png: Buffer | null) {
  if (png === null) return null;
  const { data, info } = await openImage(png).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: [...data.subarray(0, 3)] };
}

test("a key frame is the one before the time, an exact one is at the time", async () => {
  const sides = { width: 100, height: 56 };
  expect(await colourOf(await frameOf(fading, "key"))).toEqual({ ...sides, rgb: [0, 0, 0] });
  expect(await colourOf(await frameOf(fading, "exact"))).toEqual({
    ...sides,
    rgb: [255, 255, 255],
  });
});

test("a key frame that is damaged in the middle is a frame", async () => {
  const whole = await render("whole", "testsrc2=s=320x180:r=10:d=1");
  const bytes = await readFile(whole);
  const image = bytes.indexOf("mdat") + 1_000; // behind the encoder's note of 700 bytes
  for (let at = image; at < bytes.indexOf("moov"); at++) bytes[at] = (at * at) % 251;
  const damaged = join(scratch.path, "damaged.mp4");
  await writeFile(damaged, bytes);
  const shown = await frameOf(damaged, "key");
  expect(shown).not.toBeNull();
  expect(shown).not.toEqual(await frameOf(whole, "key"));
});

test("a video that cannot be read has no frame", async () => {
  const broken = join(scratch.path, "broken.mp4");
  await writeFile(broken, "no video");
  expect(await frameOf(broken, "key")).toBeNull();
  expect(await frameOf(broken, "exact")).toBeNull();
});
