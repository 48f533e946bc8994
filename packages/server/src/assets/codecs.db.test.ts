import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { animatedImages } from "@zoetrope/testkit/make-media.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judge } from "../../test/harness/judge.ts";
import { type LibraryBed, openLibraryBed } from "../../test/harness/library-bed.ts";

const run = promisify(execFile);
const cleanUp = new AsyncDisposableStack();
let dir: string;
let library: LibraryBed;
beforeAll(async () => {
  dir = cleanUp.use(await makeScratch("codecs")).path;
  library = cleanUp.use(await openLibraryBed(dir, { REVIEW_VIDEO: "manual" }));
});
afterAll(() => cleanUp.disposeAsync());

test.each([
  ["prores", "mov", ["prores_ks"], 400],
  ["dnxhd", "mov", ["dnxhd", "-profile:v", "dnxhr_sq", "-pix_fmt", "yuv422p"], 400],
  ["mpeg4", "mp4", ["mpeg4"], 400],
  ["mjpeg", "mov", ["mjpeg", "-pix_fmt", "yuvj420p"], 400],
  ["h264", "mov", ["libx264", "-preset", "ultrafast"], 200],
])(
  "a video of %s is stored and reviewed; sd2 takes it as a reference only where its vendor does",
  async (codec, ending, encoder, status) => {
    const path = join(dir, `${codec}.${ending}`);
    const source = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=5:d=2"];
    await run("ffmpeg", ["-v", "error", "-y", ...source, "-c:v", ...encoder, path]);
    const account = await library.bed.openAccount();
    const uploaded = await library.upload(account, await readFile(path), "VIDEO");
    const { assetId, upstreamAssetId } = uploaded;
    await library.advance(assetId);
    await judge(library.bed.ctx, assetId, "passed");
    await library.advance(assetId);
    const asset = await library.call(account, "GET", `assets/status?assetId=${assetId}`);
    expect(asset.body).toMatchObject({ status: "ACTIVE", width: 320, height: 180, duration: 2 });
    const inputs = {
      prompt: "like video 1",
      videoInputMode: "reference",
      resolution: "1280x720",
      videoUrls: [`asset://${upstreamAssetId}`],
    };
    const answer = await library.call(account, "POST", "jobs/quote", { model: "sd2", inputs });
    expect(answer.status).toBe(status);
    if (status === 400)
      expect(answer.body).toMatchObject({
        param: "inputs.videoUrls[0]",
        message: expect.stringContaining(`encoded as h264 or hevc, but is ${codec}`),
      });
  },
);

const tone = ["-f", "lavfi", "-i", "sine=d=2:r=44100"];

test.each([
  ["μ-law", ["-c:a", "pcm_mulaw"]],
  ["A-law", ["-c:a", "pcm_alaw"]],
  ["Microsoft's ADPCM", ["-c:a", "adpcm_ms"]],
  ["IMA ADPCM", ["-c:a", "adpcm_ima_wav"]],
  ["PCM as RF64", ["-rf64", "always"]],
])("a WAV of %s is stored as audio", async (name, encoder) => {
  const path = join(dir, `${name.replaceAll(/\W/g, "")}.wav`);
  await run("ffmpeg", ["-v", "error", "-y", ...tone, ...encoder, path]);
  const account = await library.bed.openAccount();
  const { assetId } = await library.upload(account, await readFile(path), "AUDIO");
  await library.advance(assetId);
  const asset = await library.call(account, "GET", `assets/status?assetId=${assetId}`);
  expect(asset.body).toMatchObject({ failReason: null, duration: expect.closeTo(2, 1) });
  expect(asset.body["status"]).not.toBe("FAILED");
});

test.each(animatedImages)("an animated image, %s, is refused as animated", async (_name, make) => {
  const account = await library.bed.openAccount();
  const { assetId } = await library.upload(account, await make());
  await library.advance(assetId);
  const asset = await library.call(account, "GET", `assets/status?assetId=${assetId}`);
  expect(asset.body).toMatchObject({
    status: "FAILED",
    failReason: "The file is animated; send a single image.",
  });
});

test.each(["IMAGE", "VIDEO"] as const)(
  "an AVIF that is sent as %s is refused by name",
  async (type) => {
    const path = join(dir, "image.avif");
    const source = ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=1:r=1", "-frames:v", "1"];
    await run("ffmpeg", ["-v", "error", "-y", ...source, "-c:v", "libaom-av1", path]);
    const account = await library.bed.openAccount();
    const { assetId } = await library.upload(account, await readFile(path), type);
    await library.advance(assetId);
    const asset = await library.call(account, "GET", `assets/status?assetId=${assetId}`);
    expect(asset.body).toMatchObject({
      status: "FAILED",
      failReason: expect.stringContaining("is an AVIF image, which is not supported"),
    });
  },
);
