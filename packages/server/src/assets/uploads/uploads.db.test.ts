import assert from "node:assert";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { animatedImages, makePaddedVideo } from "@zoetrope/testkit/make-media.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendChunk } from "../../../test/harness/send-chunk.ts";
import {
  openUploadBed,
  type Sender,
  storageDrivers,
  type UploadBed,
} from "../../../test/harness/upload-bed.ts";
import {
  countChunks,
  countRows,
  linkOf,
  sendChunks,
  sha256,
  stemOf,
} from "../../../test/uploads/chunks.ts";
import { testExpiredUploads } from "../../../test/uploads/expired-uploads.ts";
import { uploadUrl } from "../../media/storage/upload-link.ts";
import { failUnstored } from "../settle-queries.ts";
import { storeAsset } from "../store-asset.ts";
import type { UploadAnswer } from "./schema.ts";

const chunkBytes = 2 * 1024 * 1024;
const sizeBytes = 2 * chunkBytes + 12_345; // three chunks, the last one short
const openMax = 20;

let video: Buffer;
beforeAll(async () => {
  video = await makePaddedVideo(sizeBytes);
});

const lastChunk = () => video.subarray(2 * chunkBytes);
const sendSome = (upload: UploadAnswer, numbers: readonly number[], bytes = video) =>
  sendChunks(upload, bytes, numbers);

describe.each(storageDrivers)("an upload to %s", (driver) => {
  let opened: UploadBed;
  let sender: Sender;
  beforeAll(async () => {
    opened = await openUploadBed(driver);
    sender = await opened.openSender();
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  const begin = (more: object = {}) => sender.created({ type: "VIDEO", size: sizeBytes, ...more });
  async function finished(more: object = {}) {
    const upload = await begin(more);
    await sendSome(upload, [0, 1, 2]);
    return { upload, asset: await sender.completed(upload.uploadId) };
  }
  async function expectChunkRefused(bytes: Buffer, headers = {}): Promise<void> {
    const upload = await begin();
    const { status } = await sendChunk(linkOf(upload, 2), bytes, { headers });
    expect(String(status)).toMatch(/^4/);
    expect((await sender.seen(upload.uploadId)).received).toEqual([]);
  }
  /** Replaces a chunk by one of the wrong size. */
  async function replaceChunk(upload: UploadAnswer, number: number): Promise<void> {
    const key = `${stemOf(upload)}000${number}.part`;
    const link = await opened.bed.ctx.storage.uploadLink(key, 1_000, 60);
    expect((await sendChunk(link, Buffer.alloc(1_000))).status).toBe(200);
  }

  test("says what to send where: whole chunks and a short last one", async () => {
    const upload = await begin({ name: "a video" });
    expect(upload).toMatchObject({ size: sizeBytes, chunkBytes, received: [], asset: null });
    expect(upload.chunks.map(({ number, size, method }) => [number, size, method])).toEqual([
      [0, chunkBytes, "PUT"],
      [1, chunkBytes, "PUT"],
      [2, 12_345, "PUT"],
    ]);
    expect((upload.expiresAt - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
  });

  test("takes chunks in any order and becomes an asset of the same bytes", async () => {
    const upload = await begin({ name: "a video", sha256: sha256(video).toUpperCase() });
    await sendSome(upload, [2, 0]);
    const half = await sender.seen(upload.uploadId);
    expect(half.received).toEqual([0, 2]);
    await sendSome(half, [1]);
    const asset = await sender.completed(upload.uploadId);
    const expected = {
      type: "VIDEO",
      status: "PROCESSING",
      name: "a video",
      url: asset.storageUrl,
    };
    expect(asset).toMatchObject(expected);
    expect((await sender.seen(upload.uploadId)).asset?.assetId).toBe(asset.assetId);

    await storeAsset(opened.bed.ctx, asset.assetId);
    const { storageUrl, previewUrl, url, size } = await sender.asset(asset.assetId);
    assert(previewUrl !== null);
    expect({ url, size }).toEqual({ url: storageUrl, size: sizeBytes });
    const stored = Buffer.from(await (await fetch(previewUrl)).arrayBuffer());
    expect(sha256(stored)).toBe(sha256(video));
    expect(await countChunks(opened.bed, upload)).toBe(0);
    expect(await sender.seen(upload.uploadId)).toMatchObject({
      chunks: [],
      received: [0, 1, 2],
      asset: { assetId: asset.assetId },
    });
  });

  test("takes a chunk twice, and the last one counts", async () => {
    const other = await opened.openSender(); // who has no asset of these bytes
    const upload = await other.created({ type: "VIDEO", size: sizeBytes, sha256: sha256(video) });
    await sendSome(upload, [1], Buffer.alloc(sizeBytes));
    await sendSome(upload, [0, 1, 2]);
    const { assetId } = await other.completed(upload.uploadId);
    await storeAsset(opened.bed.ctx, assetId);
    expect((await other.asset(assetId)).size).toBe(sizeBytes);
  });

  test("does not complete while a chunk is missing, and names it", async () => {
    const upload = await begin();
    await sendSome(upload, [1]);
    expect(await sender.complete(upload.uploadId)).toMatchObject({
      status: 400,
      body: {
        code: "invalid_parameters",
        param: "uploadId",
        message: expect.stringContaining("uploadId: chunks 0, 2 not received yet"),
      },
    });
    expect((await sender.seen(upload.uploadId)).asset).toBeNull();
  });

  test.each([
    ["longer", 12_346],
    ["shorter", 12_344],
  ])("refuses a chunk that is %s than declared", async (_what, bytes) => {
    await expectChunkRefused(Buffer.alloc(bytes));
  });

  test("refuses a chunk without a length", async () => {
    const start = Buffer.from(`${(12_345).toString(16)}\r\n`);
    const body = Buffer.concat([start, Buffer.alloc(12_345), Buffer.from("\r\n0\r\n\r\n")]);
    await expectChunkRefused(body, { "Transfer-Encoding": "chunked" });
  });

  test("refuses a link that was changed in any part", async () => {
    const upload = await begin();
    const link = linkOf(upload, 2);
    const names = [...new URL(link).searchParams.keys()];
    expect(names.length).toBeGreaterThanOrEqual(3);
    for (const name of names) {
      const url = new URL(link);
      const value = url.searchParams.get(name) ?? "";
      url.searchParams.set(
        name,
        value.replace(/.$/, (last) => (last === "7" ? "6" : "7")),
      );
      const bytes = Buffer.alloc(Number(url.searchParams.get("size") ?? 12_345));
      expect([400, 403], name).toContain((await sendChunk(url.href, bytes)).status);
    }
    const elsewhere = link.replace("0002.part", "0001.part");
    expect((await sendChunk(elsewhere, Buffer.alloc(12_345))).status).toBe(403);
    expect((await sender.seen(upload.uploadId)).received).toEqual([]);
    expect((await sendChunk(link, lastChunk())).status).toBe(200);
  });

  test("refuses a link that has expired", async () => {
    const upload = await begin();
    const key = `${stemOf(upload)}0002.part`;
    const link = await opened.bed.ctx.storage.uploadLink(key, 12_345, 3);
    const statuses: (number | null)[] = [];
    await waitUntil(
      "the link is refused",
      async () => {
        statuses.push((await sendChunk(link, lastChunk())).status);
        return statuses.at(-1) === 403;
      },
      { timeoutMs: 300_000 },
    );
    expect(new Set(statuses)).toEqual(new Set([200, 403]));
  });

  test("does not count a chunk of another size than it should have", async () => {
    const upload = await begin();
    await sendSome(upload, [0, 1]);
    await replaceChunk(upload, 2);
    expect((await sender.seen(upload.uploadId)).received).toEqual([0, 1]);
    expect((await sender.complete(upload.uploadId)).status).toBe(400);
  });

  if (driver !== "a folder")
    test("goes to the store alone: the api has no address for chunks", async () => {
      const grant = { key: `${"a".repeat(36)}0000.part`, sizeBytes: 1, expiresAt: 2e12 };
      const { secret } = opened.bed.ctx.config.links;
      const link = uploadUrl(opened.apiUrl, secret, grant);
      expect((await sendChunk(link, Buffer.alloc(1))).status).toBe(404);
    });

  test("never gives a chunk out", async () => {
    const upload = await begin();
    await sendSome(upload, [0]);
    const answer = await fetch(`${opened.apiUrl}/media/${stemOf(upload)}0000.part`, {
      redirect: "manual",
    });
    expect(answer.status).toBe(404);
  });

  test("that is completed ten times at once is one asset", async () => {
    const upload = await begin();
    await sendSome(upload, [0, 1, 2]);
    const asked = Array.from({ length: 10 }, () => sender.completed(upload.uploadId));
    const [first, ...others] = await Promise.all(asked);
    assert(first !== undefined);
    for (const other of others) expect(other).toEqual(first);
    await storeAsset(opened.bed.ctx, first.assetId);
    expect((await sender.completed(upload.uploadId)).assetId).toBe(first.assetId);
    expect(await countRows(opened.bed, "assets where upload_id =", upload.uploadId)).toBe(1);
  });

  test("whose bytes do not match the declared hash fails the asset with a plain reason", async () => {
    const { upload, asset } = await finished({ sha256: "0".repeat(64) });
    await storeAsset(opened.bed.ctx, asset.assetId);
    expect(await sender.asset(asset.assetId)).toMatchObject({
      status: "FAILED",
      failReason: "The SHA-256 of the file does not match the one given. Upload it again.",
      previewUrl: null,
    });
    expect(await countChunks(opened.bed, upload)).toBe(0);
  });

  test("whose chunks are gone or of another size fails the asset with a plain reason", async () => {
    const lost = await finished();
    await opened.bed.ctx.storage.remove(`${stemOf(lost.upload)}0001.part`);
    const other = await finished();
    await replaceChunk(other.upload, 1);
    for (const { asset } of [lost, other]) {
      await storeAsset(opened.bed.ctx, asset.assetId);
      expect(await sender.asset(asset.assetId)).toMatchObject({
        status: "FAILED",
        failReason: "Some of the uploaded chunks are no longer stored. Upload the file again.",
      });
    }
  });

  test.each(animatedImages)("of an animated image, %s, fails as animated", async (_name, make) => {
    const image = await make();
    const upload = await begin({ type: "IMAGE", size: image.length });
    await sendSome(upload, [0], image);
    const { assetId } = await sender.completed(upload.uploadId);
    await storeAsset(opened.bed.ctx, assetId);
    expect(await sender.asset(assetId)).toMatchObject({
      status: "FAILED",
      failReason: "The file is animated; send a single image.",
      previewUrl: null,
    });
  });

  test("is stored once when the step runs three times at once, and no late run fails it", async () => {
    const { asset } = await finished();
    const runs = Array.from({ length: 3 }, () => storeAsset(opened.bed.ctx, asset.assetId));
    await Promise.all(runs);
    const late = { code: "unusable", reason: "a run that came too late" } as const;
    await failUnstored(opened.bed.ctx.db, asset.assetId, late);
    const { status, previewUrl } = await sender.asset(asset.assetId);
    expect({ status, isStored: previewUrl !== null }).toEqual({
      status: "PROCESSING",
      isStored: true,
    });
  });

  testExpiredUploads(() => ({ bed: opened.bed, sender, video }));

  test("is one of 20 at most that are open; completing one makes room", async () => {
    const busy = await opened.openSender();
    /** Creates it, and retries when asked to: on a busy machine the wait for the account can time out. */
    const create = async () => {
      for (;;) {
        const answer = await busy.create({ type: "VIDEO", size: 1 });
        if (answer.status !== 409 && answer.status !== 503) return answer;
      }
    };
    const answers = await Promise.all(Array.from({ length: 30 }, create));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length - refused.length).toBe(openMax);
    for (const { status, body } of refused)
      expect({ status, code: body["code"] }).toEqual({ status: 429, code: "open_uploads_limit" });
    const upload = answers.find(({ status }) => status === 200)?.body as unknown as UploadAnswer;
    expect((await sendChunk(linkOf(upload, 0), Buffer.alloc(1))).status).toBe(200);
    await busy.completed(upload.uploadId);
    expect((await create()).status).toBe(200);
    expect((await create()).status).toBe(429);
  });
});
