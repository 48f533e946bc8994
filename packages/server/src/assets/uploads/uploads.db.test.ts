import assert from "node:assert";
import { createHash } from "node:crypto";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePaddedFilm } from "../../../test/harness/padded-film.ts";
import { sendChunk } from "../../../test/harness/send-chunk.ts";
import {
  openUploadBed,
  type Sender,
  storageDrivers,
  type UploadBed,
} from "../../../test/harness/upload-bed.ts";
import { collectObjects } from "../../media/objects.ts";
import { uploadUrl } from "../../media/upload-link.ts";
import { failUnstored } from "../settle-queries.ts";
import { storeAsset } from "../store-asset.ts";
import { dropExpiredUploads } from "./queries.ts";
import type { UploadAnswer } from "./schema.ts";

const chunkBytes = 2 * 1024 * 1024;
const sizeBytes = 2 * chunkBytes + 12_345; // three chunks, the last one short
const openMax = 20;

let film: Buffer;
beforeAll(async () => {
  film = await makePaddedFilm(sizeBytes);
});

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const pieceOf = (bytes: Buffer, number: number) =>
  bytes.subarray(number * chunkBytes, (number + 1) * chunkBytes);

/** Some chunks of the film, in this order. */
async function sendSome({ chunks }: UploadAnswer, numbers: number[], bytes = film): Promise<void> {
  for (const number of numbers) {
    const chunk = chunks.find((one) => one.number === number);
    assert(chunk !== undefined);
    expect((await sendChunk(chunk.url, pieceOf(bytes, number))).status).toBe(200);
  }
}

function linkOf({ chunks }: UploadAnswer, number: number): string {
  const url = chunks.find((one) => one.number === number)?.url;
  assert(url !== undefined);
  return url;
}

/** When a link of either driver ends. */
function endOf(link: string): number {
  const { searchParams } = new URL(link);
  const ours = searchParams.get("expires");
  if (ours !== null) return Number(ours);
  const [, day = "", time = ""] = /(\d+)T(\d+)Z/.exec(searchParams.get("X-Amz-Date") ?? "") ?? [];
  const signedAt = Date.parse(
    `${day.replace(/(....)(..)/, "$1-$2-")}T${time.replace(/(..)(..)/, "$1:$2:")}Z`,
  );
  return signedAt + 1000 * Number(searchParams.get("X-Amz-Expires"));
}

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
  const stemOf = (upload: UploadAnswer) =>
    /([0-9a-f]{36})0000\.part/.exec(linkOf(upload, 0))?.[1] ?? "";
  const chunksIn = async (upload: UploadAnswer) =>
    (await opened.bed.ctx.storage.listChunks(stemOf(upload))).size;
  const count = async (text: string, ...values: unknown[]) =>
    Number((await opened.bed.database.sql<{ count: string }>(text, values))[0]?.count);
  const pass = async (hours: number) => {
    for (const table of ["asset_uploads", "media_objects"])
      await opened.bed.database.sql(
        `update ${table} set expires_at = expires_at - $1 * interval '1 hour'`,
        [hours],
      );
  };
  const collect = async () => {
    await dropExpiredUploads(opened.bed.ctx.db, 100);
    await collectObjects(opened.bed.ctx, 1_000);
  };

  test("says what to send where: whole chunks and a short last one", async () => {
    const upload = await begin({ name: "a film" });
    expect(upload).toMatchObject({ size: sizeBytes, chunkBytes, received: [], asset: null });
    expect(upload.chunks.map(({ number, size, method }) => [number, size, method])).toEqual([
      [0, chunkBytes, "PUT"],
      [1, chunkBytes, "PUT"],
      [2, 12_345, "PUT"],
    ]);
    expect((upload.expiresAt - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
  });

  test("takes chunks in any order and becomes an asset of the same bytes", async () => {
    const upload = await begin({ name: "a film", sha256: sha256(film).toUpperCase() });
    await sendSome(upload, [2, 0]);
    const half = await sender.seen(upload.uploadId);
    expect(half.received).toEqual([0, 2]);
    await sendSome(half, [1]);
    const asset = await sender.completed(upload.uploadId);
    const told = { type: "VIDEO", status: "PROCESSING", name: "a film", url: asset.storageUrl };
    expect(asset).toMatchObject(told);
    expect((await sender.seen(upload.uploadId)).asset?.assetId).toBe(asset.assetId);

    await storeAsset(opened.bed.ctx, asset.assetId);
    const { storageUrl, previewUrl, url, size } = await sender.asset(asset.assetId);
    assert(previewUrl !== null);
    expect({ url, size }).toEqual({ url: storageUrl, size: sizeBytes });
    const stored = Buffer.from(await (await fetch(previewUrl)).arrayBuffer());
    expect(sha256(stored)).toBe(sha256(film));
    expect(await chunksIn(upload)).toBe(0);
    expect(await sender.seen(upload.uploadId)).toMatchObject({
      chunks: [],
      received: [0, 1, 2],
      asset: { assetId: asset.assetId },
    });
  });

  test("takes a chunk twice, and the last one counts", async () => {
    const upload = await begin({ sha256: sha256(film) });
    await sendSome(upload, [1], Buffer.alloc(sizeBytes));
    await sendSome(upload, [0, 1, 2]);
    const { assetId } = await sender.completed(upload.uploadId);
    await storeAsset(opened.bed.ctx, assetId);
    expect((await sender.asset(assetId)).size).toBe(sizeBytes);
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
  ])("refuses a chunk that is %s than it was said to be", async (_what, bytes) => {
    const upload = await begin();
    const { status } = await sendChunk(linkOf(upload, 2), Buffer.alloc(bytes));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect((await sender.seen(upload.uploadId)).received).toEqual([]);
  });

  test("refuses a chunk that does not say its length", async () => {
    const upload = await begin();
    const length = Buffer.from((12_345).toString(16));
    const body = Buffer.concat([length, Buffer.from("\r\n"), Buffer.alloc(12_345)]);
    const end = Buffer.from("\r\n0\r\n\r\n");
    const headers = { "Transfer-Encoding": "chunked" };
    const { status } = await sendChunk(linkOf(upload, 2), Buffer.concat([body, end]), { headers });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect((await sender.seen(upload.uploadId)).received).toEqual([]);
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
    expect((await sendChunk(link, pieceOf(film, 2))).status).toBe(200);
  });

  test("refuses a link that has expired", async () => {
    const upload = await begin();
    const key = `${stemOf(upload)}0002.part`;
    const link = await opened.bed.ctx.storage.uploadLink(key, 12_345, 3);
    const statuses: (number | null)[] = [];
    await waitUntil(
      "the link is refused",
      async () => {
        statuses.push((await sendChunk(link, pieceOf(film, 2))).status);
        return statuses.at(-1) === 403;
      },
      { timeoutMs: 60_000 },
    );
    expect(new Set(statuses)).toEqual(new Set([200, 403]));
  });

  test("does not count a chunk of another size than it should have", async () => {
    const upload = await begin();
    await sendSome(upload, [0, 1]);
    const key = `${stemOf(upload)}0002.part`;
    const wrongLink = await opened.bed.ctx.storage.uploadLink(key, 1_000, 60);
    expect((await sendChunk(wrongLink, Buffer.alloc(1_000))).status).toBe(200);
    expect((await sender.seen(upload.uploadId)).received).toEqual([0, 1]);
    expect((await sender.complete(upload.uploadId)).status).toBe(400);
  });

  if (driver !== "a folder")
    test("goes to the store alone: the api has no address for chunks", async () => {
      const grant = { key: `${"a".repeat(36)}0000.part`, sizeBytes: 1, expiresAt: 2e12 };
      const { VENDOR_CALLBACK_SECRET: secret } = opened.bed.ctx.config;
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

  test("is to another account like one that does not exist", async () => {
    const upload = await begin();
    await sendSome(upload, [0, 1, 2]);
    const stranger = await opened.openSender();
    for (const ask of [stranger.read, stranger.complete]) {
      const { body, ...rest } = await ask(upload.uploadId);
      const { body: missing, ...same } = await ask(upload.uploadId.replace(/^.{8}/, "01234567"));
      expect(rest).toEqual({ status: 404 });
      expect(rest).toEqual(same);
      expect({ ...body, requestId: "" }).toEqual({ ...missing, requestId: "" });
      expect(body["code"]).toBe("upload_not_found");
    }
    expect((await sender.seen(upload.uploadId)).asset).toBeNull();
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
    const rows = "select count(*) from assets where upload_id = $1";
    expect(await count(rows, upload.uploadId)).toBe(1);
  });

  test("whose bytes are not those that were said fails the asset in plain words", async () => {
    const { upload, asset } = await finished({ sha256: "0".repeat(64) });
    await storeAsset(opened.bed.ctx, asset.assetId);
    expect(await sender.asset(asset.assetId)).toMatchObject({
      status: "FAILED",
      failReason: "The file does not have the SHA-256 that was said. Upload it again.",
      previewUrl: null,
    });
    expect(await chunksIn(upload)).toBe(0);
  });

  test("whose chunks are gone or of another size fails the asset in plain words", async () => {
    const lost = await finished();
    await opened.bed.ctx.storage.remove(`${stemOf(lost.upload)}0001.part`);
    const other = await finished();
    const wrongLink = await opened.bed.ctx.storage.uploadLink(
      `${stemOf(other.upload)}0001.part`,
      1_000,
      60,
    );
    expect((await sendChunk(wrongLink, Buffer.alloc(1_000))).status).toBe(200);
    for (const { asset } of [lost, other]) {
      await storeAsset(opened.bed.ctx, asset.assetId);
      expect(await sender.asset(asset.assetId)).toMatchObject({
        status: "FAILED",
        failReason: "The uploaded bytes are not all there any more. Upload the file again.",
      });
    }
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

  test("that is abandoned is collected after its time, rows and objects, and not before", async () => {
    const upload = await begin();
    await sendSome(upload, [0, 1]);
    await pass(23.9);
    await collect();
    const late = await sender.seen(upload.uploadId);
    expect(late.received).toEqual([0, 1]);
    expect(endOf(linkOf(late, 2))).toBeLessThan(late.expiresAt + 2_000); // links count in seconds
    await pass(0.2);
    expect((await sender.read(upload.uploadId)).status).toBe(404);
    expect((await sender.complete(upload.uploadId)).status).toBe(404);
    await collect();
    const rows = "select count(*) from asset_uploads where id = $1";
    expect(await count(rows, upload.uploadId)).toBe(0);
    await pass(1);
    await collect();
    expect(await chunksIn(upload)).toBe(0);
    const objects = "select count(*) from media_objects where key like $1";
    expect(await count(objects, `${stemOf(upload)}%`)).toBe(0);
  });

  test("that is completed late still has its chunks when the worker is a day late", async () => {
    const upload = await begin();
    await sendSome(upload, [0, 1, 2]);
    await pass(23.5);
    const { assetId } = await sender.completed(upload.uploadId);
    await pass(23.5);
    await collect();
    await storeAsset(opened.bed.ctx, assetId);
    expect((await sender.asset(assetId)).previewUrl).not.toBeNull();
  });

  test("leaves nothing behind when a chunk is sent once more after the end", async () => {
    const { upload, asset } = await finished();
    await storeAsset(opened.bed.ctx, asset.assetId);
    await sendSome(upload, [1]);
    expect(await chunksIn(upload)).toBe(1);
    await pass(25.1);
    await collect();
    expect(await chunksIn(upload)).toBe(0);
    expect((await sender.asset(asset.assetId)).previewUrl).not.toBeNull();
  });

  test("is one of 20 at most that are open; completing one makes room", async () => {
    const busy = await opened.openSender();
    const create = async () => {
      for (;;) {
        const answer = await busy.create({ type: "VIDEO", size: 1 });
        if (answer.body["code"] !== "account_busy") return answer; // on a busy machine
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
    expect((await busy.create({ type: "VIDEO", size: 1 })).status).toBe(200);
    expect((await busy.create({ type: "VIDEO", size: 1 })).status).toBe(429);
  });
});
