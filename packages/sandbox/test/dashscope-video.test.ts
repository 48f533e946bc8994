import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeImage } from "@zoetrope/testkit/make-media.ts";
import { afterAll, expect, test } from "vitest";
import { laterRatios, ratios, shapeOf, sizeOf } from "../src/vendors/dashscope/sizes.ts";
import { dashscopeSandbox } from "./dashscope-support.ts";
import { distance, fileServer, likeness, readFrames } from "./media-support.ts";
import { cheap, loudness, probe } from "./support.ts";

/** A video that several tests look at is rendered once. */
const dir = mkdtempSync(join(tmpdir(), "sandbox-dashscope-test-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const i2v = "happyhorse-1.1-i2v";
const r2v = "happyhorse-1.1-r2v";
const short = { resolution: "720P", duration: 3, watermark: false };

const withImages = (
  model: string,
  urls: string[],
  parameters: object = {},
  prompt = "a horse",
) => ({
  model,
  input: {
    prompt,
    media: urls.map((url) => ({ type: model === i2v ? "first_frame" : "reference_image", url })),
  },
  parameters: { ...short, ...parameters },
});
const dataUri = (bytes: Buffer, type = "png") =>
  `data:image/${type};base64,${bytes.toString("base64")}`;

test("the short side has 720 or 1080 pixels, and every side is even", () => {
  const sizes = [...ratios, ...laterRatios].map((ratio) => {
    const [small, large] = [sizeOf("720P", shapeOf(ratio)), sizeOf("1080P", shapeOf(ratio))];
    return `${ratio} ${small.width}x${small.height} ${large.width}x${large.height}`;
  });
  expect(sizes).toEqual([
    "16:9 1280x720 1920x1080",
    "9:16 720x1280 1080x1920",
    "1:1 720x720 1080x1080",
    "4:3 960x720 1440x1080",
    "3:4 720x960 1080x1440",
    "4:5 720x900 1080x1350",
    "5:4 900x720 1350x1080",
    "21:9 1680x720 2520x1080",
    "9:21 720x1680 1080x2520",
  ]);
  expect(sizeOf("720P", { width: 1_001, height: 1_000 })).toEqual({ width: 720, height: 720 });
  expect(sizeOf("1080P", { width: 333, height: 700 })).toEqual({ width: 1_080, height: 2_270 });
});

test("a video from text has the size, 24 frames per second and always audio", async () => {
  const sandbox = await dashscopeSandbox({ isDraft: false, dir });
  const { output } = await sandbox.reaches(
    await sandbox.created("a horse in the surf", { ...short, ratio: "1:1" }),
    "SUCCEEDED",
  );
  const url = output.video_url ?? "";
  expect(await probe(url)).toMatchObject({
    seconds: 3,
    video: { codec_name: "h264", width: 720, height: 720, nb_read_frames: "72" },
    audio: { codec_name: "aac" },
  });
  expect(await loudness(url, 0, 3)).toBeGreaterThan(-60);
});

test("a video from a first frame begins with it and has its shape", async () => {
  const sandbox = await dashscopeSandbox({ isDraft: false });
  const source = "testsrc2=s=960x720";
  const files = await fileServer({ "/first.png": await makeImage(source) });
  const id = await sandbox.accepted(withImages(i2v, [`${files.url}/first.png`]));
  const { output, usage } = await sandbox.reaches(id, "SUCCEEDED");
  const url = output.video_url ?? "";
  expect(await probe(url)).toMatchObject({ seconds: 3, video: { width: 960, height: 720 } });
  expect(await likeness(url, 0, source)).toBeGreaterThan(0.9);
  expect(usage).not.toHaveProperty("ratio");
});

test("a video from references shows them in their order", async () => {
  const sandbox = await dashscopeSandbox({ isDraft: false });
  const urls = [
    dataUri(await makeImage("color=red:s=400x400")),
    dataUri(await makeImage("color=lime:s=500x400", "mjpeg"), "jpeg"),
  ];
  const id = await sandbox.accepted(withImages(r2v, urls, { ratio: "1:1" }));
  const { output } = await sandbox.reaches(id, "SUCCEEDED");
  const [frame] = await readFrames(output.video_url ?? "", [36], { width: 720, height: 720 });
  const inside = { y: 600, width: 40, height: 20 };
  expect(distance(frame?.({ ...inside, x: 100 }) ?? [], [255, 0, 0])).toBeLessThan(20);
  expect(distance(frame?.({ ...inside, x: 220 }) ?? [], [0, 255, 0])).toBeLessThan(20);
});

test("[sandbox:wrong-length]: the video is half as long as the task says", async () => {
  const sandbox = await dashscopeSandbox();
  const id = await sandbox.created("[sandbox:wrong-length]", { ...short, duration: 4 });
  const { output, usage } = await sandbox.reaches(id, "SUCCEEDED");
  expect(usage).toMatchObject({ duration: 4 });
  expect(await probe(output.video_url ?? "")).toMatchObject({ seconds: 2 });
});

test.each([
  ["one side of 299 pixels", i2v, "color=red:s=299x400", "png", "InvalidImage.Resolution"],
  ["a reference of 399 pixels", r2v, "color=red:s=399x500", "png", "InvalidImage.Resolution"],
  ["a shape beyond 2.5:1", i2v, "color=red:s=752x300", "png", "InvalidImage.Resolution"],
  ["a GIF", i2v, "color=red:s=400x400", "gif", "InvalidImage.FileFormat"],
  ["a BMP", i2v, "color=red:s=400x400", "bmp", "InvalidImage.FileFormat"],
])("an image with %s is accepted, and the task fails", async (_, model, source, codec, code) => {
  const sandbox = await dashscopeSandbox();
  const url = dataUri(await makeImage(source, codec));
  const id = await sandbox.accepted(withImages(model, [url], {}, cheap));
  expect((await sandbox.reaches(id, "FAILED")).output.code).toBe(code);
});

test.each([
  [i2v, "color=red:s=300x300", "png"],
  [i2v, "color=red:s=750x300", "mjpeg"],
  [r2v, "color=red:s=400x1000", "libwebp"],
])("%s takes an image of %s as %s", async (model, source, codec) => {
  const sandbox = await dashscopeSandbox();
  const id = await sandbox.accepted(
    withImages(model, [dataUri(await makeImage(source, codec))], {}, cheap),
  );
  await sandbox.reaches(id, "SUCCEEDED");
});

test("an image that cannot be downloaded, is no image or is too large fails the task", async () => {
  const sandbox = await dashscopeSandbox();
  const image = await makeImage("color=red:s=400x400");
  const large = Buffer.concat([image, Buffer.alloc(10 * 1_024 * 1_024)]);
  const files = await fileServer({ "/words": Buffer.from("no image"), "/large.png": large });
  const codeOf = async (url: string) => {
    const id = await sandbox.accepted(withImages(i2v, [url], {}, cheap));
    return (await sandbox.reaches(id, "FAILED")).output.code;
  };
  expect(await codeOf(`${files.url}/none.png`)).toBe("InvalidParameter.DataInspection");
  expect(await codeOf(`${files.url}/words`)).toBe("InvalidImage.FileFormat");
  expect(await codeOf(`${files.url}/large.png`)).toBe("InvalidImage.FileSize");
  const damaged = dataUri(image.subarray(0, 20));
  expect(await codeOf(damaged)).toBe("InvalidImage.FileFormat");
});
