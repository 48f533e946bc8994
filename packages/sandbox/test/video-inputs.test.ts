import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeClip, makeImage, makeTone } from "@zoetrope/testkit/make-media.ts";
import { afterAll, expect, test } from "vitest";
import { imageSize } from "../src/kit/image-size.ts";
import { InputError } from "../src/kit/input-error.ts";
import { placeThumbs } from "../src/render/video/gallery.ts";
import type { VideoSpec } from "../src/render/video/spec.ts";
import { openVideoStore } from "../src/render/video/video-store.ts";
import { distance, likeness, readFrames, toneLevel } from "./media-support.ts";
import { probe } from "./support.ts";

const dir = mkdtempSync(join(tmpdir(), "sandbox-video-inputs-test-"));
const videos = openVideoStore(dir, 2);
afterAll(async () => {
  await videos.stop();
  rmSync(dir, { recursive: true, force: true });
});

const plain = { prompt: "a fox", width: 864, height: 496, seconds: 2, audio: false, seed: 1 };
const video = async (changes: Partial<VideoSpec>) =>
  videos.pathOf(await videos.obtain({ ...plain, ...changes }));
const small = { width: 192, height: 108 };
const tiny = { ...small, seconds: 1 };
const lastFrame = plain.seconds * 24 - 1;

const colours = {
  red: [255, 0, 0],
  lime: [0, 255, 0],
  blue: [0, 0, 255],
  orange: [255, 165, 0],
} as const;
const solid = (colour: keyof typeof colours, size = "600x400") =>
  makeImage(`color=${colour}:s=${size}`);

test("the first frame is the given image and nothing else, the last frame the other", async () => {
  const path = await video({ firstFrame: await solid("orange"), lastFrame: await solid("blue") });
  const frames = await readFrames(path, [0, 3, lastFrame - 3, lastFrame], plain);
  for (const [at, colour] of (["orange", "orange", "blue", "blue"] as const).entries()) {
    expect(distance(frames[at]?.() ?? [], colours[colour])).toBeLessThan(8);
  }
  expect(await probe(path)).toMatchObject({ seconds: 2, video: { nb_read_frames: "48" } });
});

test("from the first frame on it is a cross-fade into the painted world", async () => {
  const numbers = [0, 10, 14, 20, 24, lastFrame];
  const given = await readFrames(await video({ firstFrame: await solid("lime") }), numbers, plain);
  const frames = await readFrames(await video({}), numbers, plain);
  const apart = given.map((frame, at) => distance(frame(), frames[at]?.() ?? []));
  expect(apart.slice(0, 5)).toEqual(apart.slice(0, 5).toSorted((a, b) => b - a));
  expect(apart[0]).toBeGreaterThan(100);
  expect(apart[2]).toBeGreaterThan(10);
  expect(apart[4]).toBeLessThan(3);
  expect(apart[5]).toBeLessThan(3);
});

test("an image of another shape is cut around its middle and scaled to the video", async () => {
  const bars = "smptebars=s=864x496";
  const tall = await makeImage(`${bars},format=rgb24,pad=864:1296:0:400:red`);
  const path = await video({ firstFrame: tall, lastFrame: tall });
  expect(await likeness(path, 0, bars)).toBeGreaterThan(0.95);
  expect(await likeness(path, lastFrame, bars)).toBeGreaterThan(0.95);
  expect(await likeness(path, 24, bars)).toBeLessThan(0.8);
});

test("each reference is seen in its place throughout, images first, then videos", async () => {
  const references = await Promise.all([solid("red"), solid("lime", "300x900"), solid("blue")]);
  const path = await video({ references, clips: [await makeClip("color=orange:s=320x240:d=1")] });
  const places = placeThumbs(plain, 4);
  expect(places.length).toBe(4);
  const frames = await readFrames(path, [0, 24, lastFrame], plain);
  for (const frame of frames) {
    for (const [at, colour] of (["red", "lime", "blue", "orange"] as const).entries()) {
      const { x = 0, y = 0, side = 0 } = places[at] ?? {};
      const area = { x, y, width: side, height: side };
      expect(distance(frame(area), colours[colour]), colour).toBeLessThan(25);
    }
  }
});

test.each([
  [1_280, 720, 12],
  [496, 864, 12],
  [992, 432, 12],
  [1_920, 815, 14],
  [1_072, 1_920, 16],
  [1_920, 640, 16],
  [640, 480, 1],
])("in %i × %i the places of %i thumbnails are inside and apart", (width, height, count) => {
  const places = placeThumbs({ width, height }, count);
  expect(places.length).toBe(count);
  for (const [at, { x, y, side, border }] of places.entries()) {
    expect(side).toBeGreaterThan(40);
    expect(x - border).toBeGreaterThan(0);
    expect(x + side + border).toBeLessThan(width);
    expect(y - border).toBeGreaterThan(height * 0.5); // the scene is seen above them
    expect(y + side + border).toBeLessThan(height);
    for (const other of places.slice(at + 1)) {
      const apart = Math.max(Math.abs(other.x - x), Math.abs(other.y - y));
      expect(apart).toBeGreaterThanOrEqual(side + 2 * border);
    }
  }
});

test("reference audio is heard in a video with audio and leaves a silent one silent", async () => {
  const audioFiles = [await makeTone(3_000, 2, "wav"), await makeTone(5_000, 2, "mp3")];
  const references = [await solid("red")];
  const [given, without] = [
    await video({ ...small, references, audioFiles, audio: true }),
    await video({ ...small, references, audio: true }),
  ];
  for (const hertz of [3_000, 5_000]) {
    expect(await toneLevel(given, hertz)).toBeGreaterThan(-35);
    expect(await toneLevel(without, hertz)).toBeLessThan(-45);
  }
  expect((await probe(await video({ ...small, references, audioFiles }))).audio).toBeUndefined();
});

test.each([
  ["png", "png"],
  ["jpeg", "mjpeg"],
  ["webp", "libwebp"],
  ["gif", "gif"],
  ["bmp", "bmp"],
  ["tiff", "tiff"],
])("an image may be %s", async (_name, codec) => {
  const image = await makeImage("color=orange:s=600x400", codec);
  expect(await imageSize(image)).toEqual({ width: 600, height: 400 });
  const [first] = await readFrames(await video({ ...tiny, firstFrame: image }), [0], tiny);
  expect(distance(first?.() ?? [], colours.orange)).toBeLessThan(12);
});

test("the same inputs give the same video, one other input another", async () => {
  const [red, blue] = [await solid("red"), await solid("blue")];
  const audioFile = await makeTone(440, 1, "wav");
  const specs: Partial<VideoSpec>[] = [
    {},
    { firstFrame: red },
    { firstFrame: blue },
    { firstFrame: red, lastFrame: blue },
    { references: [red] },
    { references: [red, blue] },
    { references: [blue, red] },
    { references: [red], audioFiles: [audioFile] },
  ];
  const names: string[] = [];
  for (const spec of specs) names.push(await videos.obtain({ ...plain, ...tiny, ...spec }));
  expect(new Set(names).size).toBe(specs.length);
  const before = videos.stats().rendered;
  await videos.obtain({ ...plain, ...tiny, references: [Buffer.from(red), Buffer.from(blue)] });
  expect(videos.stats().rendered).toBe(before);
});

const playlist = Buffer.from("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n");
const concat = Buffer.from("ffconcat version 1.0\nfile /etc/passwd\n");
const svg = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/></svg>`,
);

test.each<[string, () => Promise<Partial<VideoSpec>>]>([
  ["no bytes", async () => ({ firstFrame: Buffer.alloc(0) })],
  ["words", async () => ({ firstFrame: Buffer.from("no image") })],
  ["a playlist", async () => ({ firstFrame: playlist })],
  ["a playlist for a video", async () => ({ clips: [playlist] })],
  ["a list of files", async () => ({ clips: [concat] })],
  ["an SVG that names a file", async () => ({ references: [svg] })],
  ["the head of a PNG", async () => ({ lastFrame: (await solid("red")).subarray(0, 40) })],
  ["a video for an image", async () => ({ firstFrame: await makeClip("color=red:s=320x240:d=1") })],
  ["an image for a video", async () => ({ clips: [await solid("red")] })],
  ["an image for audio", async () => ({ audioFiles: [await solid("red")] })],
])("%s is an unusable input, not a video", async (_what, make) => {
  const made = videos.obtain({ ...plain, ...tiny, ...(await make()) });
  await expect(made).rejects.toBeInstanceOf(InputError);
  await expect(made).rejects.toMatchObject({ outcome: "input_unusable" });
});

test("an image one pixel wide is blown up without blowing up the memory", async () => {
  const firstFrame = await makeImage("color=lime:s=2x4000,format=rgb24,crop=1:4000");
  const [first] = await readFrames(await video({ seconds: 1, firstFrame }), [0], plain);
  expect(distance(first?.() ?? [], colours.lime)).toBeLessThan(12);
});

test("a size is asked of images only", async () => {
  await expect(imageSize(Buffer.from("no image"))).rejects.toBeInstanceOf(InputError);
  await expect(imageSize((await solid("red")).subarray(0, 20))).rejects.toThrow(InputError);
});
