import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
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
      ...{ prompt: "like video 1", videoInputMode: "reference", resolution: "1280x720" },
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
