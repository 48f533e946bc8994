import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeImage } from "@zoetrope/testkit/make-media.ts";
import { afterAll, expect, test } from "vitest";
import { formatOf, imageFormats } from "../src/kit/image-format.ts";
import { openImageStore } from "../src/render/image/image-store.ts";
import type { ImageSpec } from "../src/render/image/render-image.ts";
import { placeThumbs } from "../src/render/video/gallery.ts";
import { openVideoStore, type VideoStore } from "../src/render/video/video-store.ts";
import { distance, readFrames } from "./media-support.ts";

const dir = mkdtempSync(join(tmpdir(), "sandbox-image-test-"));
const videos = openVideoStore(dir, 2);
const images = openImageStore(dir, videos.inFirstTurn);
afterAll(async () => {
  await videos.stop();
  await images.stop();
  rmSync(dir, { recursive: true, force: true });
});

const plain: ImageSpec = {
  prompt: "a fox",
  width: 640,
  height: 480,
  seed: 1,
  format: "png",
  references: [],
};
const run = promisify(execFile);
let files = 0;

async function paint(changes: Partial<ImageSpec>, store = images) {
  const bytes = await store.obtain({ ...plain, ...changes });
  const path = join(dir, `${++files}.${changes.format ?? plain.format}`);
  writeFileSync(path, bytes);
  return { bytes, path };
}

/** A size for tests about neither the size nor the picture. */
const small = { width: 320, height: 240 };

async function measure(path: string) {
  const asked = "stream=codec_name,width,height,nb_read_frames";
  const args = ["-v", "error", "-count_frames", "-show_entries", asked, "-of", "csv=p=0", path];
  return (await run("ffprobe", args)).stdout.trim();
}

test.each(imageFormats)("a %s image is one, of the exact size", async (format) => {
  const { bytes, path } = await paint({ format, width: 1_040, height: 656 });
  expect(formatOf(bytes)).toBe(format);
  const codec = { png: "png", jpeg: "mjpeg", webp: "webp" }[format];
  expect(await measure(path)).toBe(`${codec},1040,656,1`);
});

test("the same order gives the same bytes, another prompt or seed other ones", async () => {
  const elsewhere = openImageStore(join(dir, "again"), videos.inFirstTurn);
  const { bytes } = await paint({});
  expect((await paint({}, elsewhere)).bytes.equals(bytes)).toBe(true);
  expect((await paint({ prompt: "a wolf" })).bytes.equals(bytes)).toBe(false);
  expect((await paint({ seed: 2 })).bytes.equals(bytes)).toBe(false);
});

test("an image is rendered once for any number of identical requests", async () => {
  const before = images.stats();
  const spec = { ...plain, prompt: "asked for often" };
  const made = await Promise.all(Array.from({ length: 20 }, () => images.obtain(spec)));
  const again = await images.obtain(spec);
  expect(made.every((bytes) => bytes.equals(again))).toBe(true);
  const after = images.stats();
  expect([after.rendered - before.rendered, after.reused - before.reused]).toEqual([1, 20]);
});

const colours = { red: [255, 0, 0], lime: [0, 255, 0], blue: [0, 0, 255] } as const;

async function solids(names: (keyof typeof colours)[], size = "300x200", codec = "png") {
  const made = names.map((name) => makeImage(`color=${name}:s=${size}`, codec));
  return await images.readReferences(await Promise.all(made));
}

/** Renders, and returns a function for the mean colour of an area. */
async function paintToMeasure(references: ImageSpec["references"]) {
  const { path } = await paint({ references });
  const [colourOf] = await readFrames(path, [0], plain);
  if (!colourOf) throw new Error("no image");
  return colourOf;
}

test("every reference is seen as a thumbnail in a white border", async () => {
  const names = ["red", "lime", "blue"] as const;
  const colourOf = await paintToMeasure(await solids([...names]));
  for (const [at, { x, y, side, border }] of placeThumbs(plain, names.length).entries()) {
    const middle = x + (side >> 1);
    const inside = colourOf({ x: middle, y: y + (side >> 1), width: 8, height: 8 });
    expect(distance(inside, [...colours[names[at] ?? "red"]])).toBeLessThan(4);
    const edge = colourOf({ x: middle, y: y - border, width: 8, height: border });
    expect(distance(edge, [255, 255, 255])).toBeLessThan(30); // its pixels are scaled
  }
});

test("the first reference is the ground of the image, and the prompt changes it", async () => {
  const onRed = await paintToMeasure(await solids(["red", "blue"]));
  const onBlue = await paintToMeasure(await solids(["blue", "red"]));
  const middle = { x: 300, y: 230, width: 40, height: 20 };
  const [red = 0, , blue = 0] = onRed(middle);
  expect(red - blue).toBeGreaterThan(60);
  const [lessRed = 0, , moreBlue = 0] = onBlue(middle);
  expect(moreBlue - lessRed).toBeGreaterThan(60);
  const sky = { x: 400, y: 8, width: 200, height: 30 };
  const front = { x: 200, y: 470, width: 200, height: 8 };
  expect(distance(onRed(middle), [...colours.red])).toBeGreaterThan(8);
  expect(distance(onRed(sky), [...colours.red])).toBeGreaterThan(80);
  expect(distance(onRed(front), [...colours.red])).toBeGreaterThan(120);
});

const unusable: [string, () => Buffer | Promise<Buffer>][] = [
  ["nothing", () => Buffer.alloc(0)],
  ["text", () => Buffer.from("These bytes are no image.")],
  ["half a PNG", async () => half(await makeImage("testsrc=s=300x200"))],
  ["half a JPEG", async () => half(await makeImage("testsrc=s=300x200", "mjpeg"))],
  ["half a WebP", async () => half(await makeImage("testsrc=s=300x200", "libwebp"))],
  ["a GIF", () => makeImage("testsrc=s=300x200", "gif")],
  ["a PNG that claims 900 megapixels", async () => withSize(await makeImage("color=red"), 30_000)],
  ["a drawing that names a file", () => Buffer.from('<svg><image href="/etc/passwd"/></svg>')],
  ["a playlist", () => Buffer.from("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n")],
  ["a list of files", () => Buffer.from("ffconcat version 1.0\nfile /etc/passwd\n")],
];

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length >> 1);
}

function withSize(png: Buffer, side: number): Buffer {
  const claimed = Buffer.from(png);
  claimed.writeUInt32BE(side, 16);
  claimed.writeUInt32BE(side, 20);
  return claimed;
}

test.each(unusable)("an input of %s is refused as unusable", async (_what, make) => {
  const audioFile = await makeImage("color=red:s=64x64");
  await expect(images.readReferences([audioFile, await make()])).rejects.toMatchObject({
    outcome: "input_unusable",
    message: expect.stringContaining("image 2"),
  });
});

test.each([
  ["one column", "testsrc=s=1x900", "png"],
  ["one row", "testsrc=s=4000x1", "png"],
  ["16 bits", "testsrc=s=300x200,format=rgb48be", "png"],
  ["transparency", "testsrc=s=300x200,format=rgba,colorchannelmixer=aa=0.3", "png"],
  ["shades of grey", "testsrc=s=300x200,format=gray", "png"],
  ["full chroma", "testsrc=s=301x201,format=yuvj444p", "mjpeg"],
])("an input of %s can be edited", async (_what, source, codec) => {
  const references = await images.readReferences([await makeImage(source, codec)]);
  const { path } = await paint({ ...small, references });
  expect(await measure(path)).toBe("png,320,240,1");
});

test("an image is made before the videos that wait: a call stays open for it", async () => {
  const store = openVideoStore(join(dir, "order"), 1);
  const made: string[] = [];
  const work = (name: string) => async () => void made.push(name);
  const turns = [
    store.inTurn(() => new Promise((resolve) => setTimeout(resolve, 20))),
    ...["video 1", "video 2"].map((name) => store.inTurn(work(name))),
    store.inFirstTurn(work("image")),
  ];
  await Promise.all(turns);
  expect(made).toEqual(["image", "video 1", "video 2"]);
});

test("videos and images together are no more at a time than allowed, and leave no work files", async () => {
  const store: VideoStore = openVideoStore(join(dir, "bounded"), 1);
  const bounded = openImageStore(join(dir, "bounded"), store.inFirstTurn);
  const work = join(dir, "bounded", "work");
  const video = { ...small, seconds: 1, audio: false, seed: 1 };
  const input = await makeImage("color=red:s=64x64");
  const all = Promise.all([
    store.obtain({ ...video, prompt: "a" }),
    bounded.obtain({ ...plain, ...small, prompt: "b" }),
    bounded.readReferences([input, input]),
    store.obtain({ ...video, prompt: "c" }),
  ]);
  let [most, done] = [0, false];
  void all.finally(() => {
    done = true;
  });
  while (!done) {
    most = Math.max(most, store.stats().rendering, readdirSync(work).length);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await all;
  expect(most).toBe(1);
  expect(readdirSync(work)).toEqual([]);
});
