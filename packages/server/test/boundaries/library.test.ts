import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../../src/accounts/queries.ts";
import { readAsset } from "../../src/assets/read-assets.ts";
import { reviewAsset } from "../../src/assets/review/review-asset.ts";
import { listQuery, uploadBody } from "../../src/assets/schema.ts";
import { storeAsset } from "../../src/assets/store-asset.ts";
import { uploadAsset } from "../../src/assets/upload-asset.ts";
import { createTask } from "../../src/generation/create-task.ts";
import { openTestBed, type TestBed } from "../harness/test-context.ts";
import { formats, goodImage, megabyte, type Sample } from "./boundary.ts";
import { makeFile } from "./make-file.ts";

/** The library: real files come in by their address, and what is measured of them decides. */
const cleanUp = new AsyncDisposableStack();
let dir: string;
let server: FileServer;
let bed: TestBed;
beforeAll(async () => {
  dir = cleanUp.use(await makeScratch("library")).path;
  server = cleanUp.use(await serveFiles({ tlsDir: dir }));
  bed = cleanUp.use(await openTestBed({ REVIEW_IMAGE: "", REVIEW_VIDEO: "" }));
});
afterAll(() => cleanUp.disposeAsync());

async function uploaded(account: Caller, sample: Sample) {
  const type = formats[sample.format]?.type ?? "IMAGE";
  const url = server.offer(await makeFile(sample));
  const { assetId } = await uploadAsset(bed.ctx, account, { url, type });
  await storeAsset(bed.ctx, assetId);
  await reviewAsset(bed.ctx, assetId);
  return readAsset(bed.ctx, account, String(assetId));
}

test("a file of 200 MB is taken, one of a byte more is not", async () => {
  const account = await bed.openAccount();
  const sized = (sizeBytes: number) => uploaded(account, { ...goodImage, sizeBytes });
  expect(await sized(200 * megabyte)).toMatchObject({ status: "NONE", size: 200 * megabyte });
  expect(await sized(200 * megabyte + 1)).toMatchObject({
    status: "FAILED",
    failReason: expect.stringContaining(`larger than ${200 * megabyte} bytes`),
    previewUrl: null,
  });
});

test("a video of 15.000 s is a reference video, one of 15.001 s is named and refused", async () => {
  const account = await bed.openAccount();
  const create = async (durationMs: number) => {
    const sample = { format: "mp4", width: 64, height: 64, durationMs } as const;
    const { assetId, upstreamAssetId, duration } = await uploaded(account, sample);
    expect(duration).toBe(durationMs / 1000);
    await bed.database.sql("update assets set status = 'ACTIVE' where id = $1", [assetId]);
    const videoUrls = [`asset://${upstreamAssetId}`];
    const inputs = { videoInputMode: "reference", resolution: "1280x720", videoUrls };
    return createTask(bed.ctx, account, { model: "sd2", inputs }, null);
  };
  await expect(create(15_001)).rejects.toMatchObject({
    param: "inputs.videoUrls[0]",
    message: expect.stringContaining("must be at most 15 s long, but is 15.001 s"),
  });
  expect(await create(15_000)).toMatchObject({ replayed: false });
});

test("a name has 64 characters and not 65", () => {
  const named = (name: string) =>
    uploadBody.safeParse({ url: "https://example.com/a.png", type: "IMAGE", name }).success;
  expect([named("x".repeat(64)), named("x".repeat(65))]).toEqual([true, false]);
});

test("a page has 1 to 50 items, and not 0 or 51", () => {
  const taken = ["1", "50", "0", "51"].map((limit) => listQuery.safeParse({ limit }).success);
  expect(taken).toEqual([true, true, false, false]);
});
