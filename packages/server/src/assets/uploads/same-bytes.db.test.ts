import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judge } from "../../../test/harness/judge.ts";
import { paint } from "../../../test/harness/library-bed.ts";
import { sendChunk } from "../../../test/harness/send-chunk.ts";
import { openUploadBed, type Sender, type UploadBed } from "../../../test/harness/upload-bed.ts";
import type { AssetId } from "../../ids.ts";
import { addReview } from "../review/queries.ts";
import { reviewAsset } from "../review/review-asset.ts";
import type { AssetAnswer } from "../schema.ts";
import { storeAsset } from "../store-asset.ts";
import type { UploadAnswer } from "./schema.ts";

let uploads: UploadBed;
let image: Buffer;
let body: { type: "IMAGE"; size: number; sha256: string };
beforeAll(async () => {
  uploads = await openUploadBed("a folder", { REVIEW_IMAGE: "manual" });
  image = await paint();
  const sha256 = createHash("sha256").update(image).digest("hex");
  body = { type: "IMAGE", size: image.length, sha256 };
});
afterAll(() => uploads[Symbol.asyncDispose]());

const sendAll = async ({ chunks }: UploadAnswer) => {
  for (const { url } of chunks) await sendChunk(url, image);
};

async function advance(assetId: AssetId): Promise<void> {
  await storeAsset(uploads.bed.ctx, assetId);
  await reviewAsset(uploads.bed.ctx, assetId);
}

async function uploaded(
  sender: Sender,
  more: { reuse?: boolean; sha256?: null } = {},
): Promise<AssetAnswer> {
  const upload = await sender.created({ ...body, ...more });
  await sendAll(upload);
  const { status, body: asset } = await sender.complete(upload.uploadId, { reuse: more.reuse });
  expect(status, JSON.stringify(asset)).toBe(200);
  await advance(asset["assetId"] as AssetId);
  return sender.asset(asset["assetId"] as AssetId);
}

async function refuse(assetId: AssetId): Promise<void> {
  await judge(uploads.bed.ctx, assetId, "refused");
  await reviewAsset(uploads.bed.ctx, assetId);
}

const countAssets = async ({ account }: Sender) => {
  const count = "select count(*)::int as count from assets where account_id = $1";
  const [row] = await uploads.bed.database.sql<{ count: number }>(count, [account.id]);
  return row?.count;
};

test("the same bytes are one asset in an account: there is nothing to send, and completing it anyway answers it", async () => {
  const sender = await uploads.openSender();
  const first = await uploaded(sender);
  const again = await sender.created({ ...body, sha256: body.sha256.toUpperCase(), name: "other" });
  expect(again).toMatchObject({ chunks: [], asset: { assetId: first.assetId, name: null } });
  expect(await sender.completed(again.uploadId)).toMatchObject({ assetId: first.assetId });
  expect(await sender.seen(again.uploadId)).toMatchObject({
    chunks: [],
    asset: { assetId: first.assetId },
  });
  expect(await countAssets(sender)).toBe(1);
});

test("of two uploads of the same bytes at once, the one that is completed later is the other's asset", async () => {
  const sender = await uploads.openSender();
  const both = [await sender.created(body), await sender.created(body)];
  for (const upload of both) await sendAll(upload);
  const assets = await Promise.all(both.map(({ uploadId }) => sender.completed(uploadId)));
  expect(new Set(assets.map(({ assetId }) => assetId)).size).toBe(1);
  expect((await sender.created(body)).asset?.assetId).toBe(assets[0]?.assetId); // not stored yet
  expect(await countAssets(sender)).toBe(1);
});

test("another account's asset is not told, another type or size is another file, and a deleted asset is gone", async () => {
  const [sender, other] = [await uploads.openSender(), await uploads.openSender()];
  const { assetId, upstreamAssetId } = await uploaded(sender);
  expect(await other.created(body)).toMatchObject({ asset: null, chunks: [{ number: 0 }] });
  expect((await other.complete(upstreamAssetId as never)).status).toBe(404);
  expect((await other.read(upstreamAssetId as never)).status).toBe(404);
  for (const different of [{ type: "VIDEO" }, { size: body.size + 1 }, { sha256: null }])
    expect((await sender.created({ ...body, ...different })).asset).toBe(null);
  await sender.call("DELETE", `?assetId=${assetId}`);
  expect((await sender.created(body)).asset).toBe(null);
  expect((await sender.complete(upstreamAssetId as never)).status).toBe(404);
});

test("with reuse: false the same bytes are an asset of its own, which a declaration needs", async () => {
  const sender = await uploads.openSender();
  const first = await uploaded(sender);
  const declaration = { people: "Ada Lovelace", purpose: "Videos for her own page" };
  const { uploadId } = await sender.created(body);
  expect(await sender.complete(uploadId, { declaration })).toMatchObject({
    status: 400,
    body: { param: "declaration" },
  });
  const second = await uploaded(sender, { reuse: false });
  expect(second.assetId).not.toBe(first.assetId);
});

test("bytes that a review refused are answered as the refused asset, and nobody is asked again; a new asset is a new review", async () => {
  const sender = await uploads.openSender();
  const { assetId } = await uploaded(sender);
  await refuse(assetId);
  expect(await sender.created(body)).toMatchObject({
    chunks: [],
    asset: { assetId, status: "FAILED", failReason: expect.any(String) },
  });
  const again = await uploaded(sender, { reuse: false });
  expect(again).toMatchObject({ status: "PROCESSING" }); // and refused again, or not, by who reviews it
  expect(again.assetId).not.toBe(assetId);
  expect((await sender.created(body)).asset?.assetId).toBe(again.assetId);
});

test("bytes that nobody reviewed are a new asset once somebody would review them, and none again after that", async () => {
  const sender = await uploads.openSender();
  const upload = await sender.created(body);
  await sendAll(upload);
  const { assetId } = await sender.completed(upload.uploadId);
  const { ctx } = uploads.bed;
  await storeAsset(ctx, assetId);
  const review = { ...ctx.config.review, image: [] };
  await reviewAsset({ ...ctx, config: { ...ctx.config, review } }, assetId);
  expect(await sender.asset(assetId)).toMatchObject({ status: "NONE" });
  const again = await uploaded(sender);
  expect(again).toMatchObject({ status: "PROCESSING" });
  expect(again.assetId).not.toBe(assetId);
  const unable = { actor: "manual Ada", verdict: "unsure", unable: true, reason: "" } as const;
  await addReview(ctx.db, again.assetId as AssetId, unable);
  await reviewAsset(ctx, again.assetId as AssetId);
  expect((await sender.created(body)).asset).toMatchObject({
    assetId: again.assetId,
    status: "NONE",
  });
});

test("an asset says which models take it now and which once it is reviewed", async () => {
  const sender = await uploads.openSender();
  const upload = await sender.created(body);
  await sendAll(upload);
  const { assetId, ...unstored } = await sender.completed(upload.uploadId);
  expect(unstored).toMatchObject({ usableBy: [], usableAfterReview: [] });
  await advance(assetId);
  const free = ["happyhorse", "image-pro-2", "image-plus-2"];
  expect(await sender.asset(assetId)).toMatchObject({
    usableBy: free,
    usableAfterReview: ["sd2", "sd2-fast"],
  });
  await judge(uploads.bed.ctx, assetId, "passed");
  await reviewAsset(uploads.bed.ctx, assetId);
  expect(await sender.asset(assetId)).toMatchObject({
    usableBy: ["sd2", "sd2-fast", ...free],
    usableAfterReview: [],
  });
  const { body: page } = await sender.call("GET", "list");
  expect(page["items"]).toMatchObject([{ usableBy: ["sd2", "sd2-fast", ...free] }]);
});
