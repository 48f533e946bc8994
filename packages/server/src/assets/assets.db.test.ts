import assert from "node:assert";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judge, revoke } from "../../test/harness/judge.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { Caller } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import { createTask } from "../generation/create-task.ts";
import type { AssetId } from "../ids.ts";
import { failReasonIn } from "./fail-reason.ts";
import { readAsset, readAssets } from "./read-assets.ts";
import { listReviews } from "./review/queries.ts";
import { reviewAsset } from "./review/review-asset.ts";
import type { Reviewer, ReviewerName, Verdict } from "./review/reviewer.ts";
import { takeDueAssets } from "./step-queries.ts";
import { storeAsset } from "./store-asset.ts";
import { uploadAsset } from "./upload-asset.ts";

let files: Record<string, { status?: number; body: Buffer; type?: string }> = {};
let asked: string[] = [];
let server: Server;
let base: string;
let bed: TestBed;
let image: Buffer;
beforeAll(async () => {
  image = await sharp({ create: { width: 640, height: 480, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const file = files[request.url ?? ""] ?? { status: 404, body: Buffer.from("no") };
    response.writeHead(file.status ?? 200, { "content-type": file.type ?? "text/plain" });
    response.end(file.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  bed = await openTestBed({ REVIEW_IMAGE: "manual", REVIEW_VIDEO: "", REVIEW_AUDIO: "manual" });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

async function uploaded(account: Caller, name = "a.png", body = image, type = "image/png") {
  files = { ...files, [`/${name}`]: { body, type } };
  const asset = await uploadAsset(bed.ctx, account, { url: `${base}/${name}`, type: "IMAGE" });
  await storeAsset(bed.ctx, asset.assetId);
  await reviewAsset(bed.ctx, asset.assetId);
  return asset;
}

/** The error that the caller gets. */
async function refusalOf(promise: Promise<unknown>) {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert(error instanceof ApiError);
  return { code: error.code, message: error.message };
}

const approve = async (assetId: AssetId) => {
  await judge(bed.ctx, assetId, "passed");
  await reviewAsset(bed.ctx, assetId);
};

test("an upload answers at once, is fetched once, measured, and waits for a person", async () => {
  const account = await bed.openAccount();
  asked = [];
  const asset = await uploaded(account);
  expect(asset).toMatchObject({
    upstreamAssetId: expect.stringMatching(/^asset-\d{14}-[0-9a-z]{12}$/),
    type: "IMAGE",
    status: "PROCESSING",
    failReason: null,
    previewUrl: null,
    name: null,
  });
  await storeAsset(bed.ctx, asset.assetId);
  expect(asked).toEqual(["/a.png"]);
  expect(await readAsset(bed.ctx, account, String(asset.assetId))).toMatchObject({
    status: "PROCESSING",
    width: 640,
    height: 480,
    size: image.length,
    duration: null,
    storageUrl: asset.storageUrl,
  });
});

test("approved by a person it is ACTIVE, with who, when and why on record", async () => {
  const account = await bed.openAccount();
  const { assetId, upstreamAssetId } = await uploaded(account);
  await approve(assetId);
  expect((await readAsset(bed.ctx, account, upstreamAssetId)).status).toBe("ACTIVE");
  expect(await listReviews(bed.ctx.db, assetId)).toMatchObject([
    { actor: "manual command op", verdict: "passed", reason: "fine", at: expect.any(Date) },
  ]);
  const again = judge(bed.ctx, assetId, "refused");
  await expect(again).rejects.toThrow("does not wait for a review");
});

test("refused by a person it is FAILED, and its owner sees the reason", async () => {
  const account = await bed.openAccount();
  const { assetId } = await uploaded(account);
  await judge(bed.ctx, assetId, "refused");
  expect((await takeDueAssets(bed.ctx.db, 100)).map(({ id }) => id)).toContain(assetId);
  await reviewAsset(bed.ctx, assetId);
  const view = await readAsset(bed.ctx, account, String(assetId));
  expect(view).toMatchObject({
    status: "FAILED",
    failReason: "The review did not pass. Shows illegal content.",
  });
});

test("an asset that is revoked between two creates is refused by the second", async () => {
  const account = await bed.openAccount();
  const { assetId, upstreamAssetId } = await uploaded(account);
  const body = { model: "sd2", inputs: { urls: [`asset://${upstreamAssetId}`] } };
  expect((await refusalOf(createTask(bed.ctx, account, body, null))).message).toBe(
    "inputs.urls[0]: the asset is still in review; wait until its status is ACTIVE",
  );
  await approve(assetId);
  await createTask(bed.ctx, account, body, null);
  await revoke(bed.ctx, assetId);
  expect((await refusalOf(createTask(bed.ctx, account, body, null))).message).toBe(
    "inputs.urls[0]: the asset did not pass its review",
  );
  // Why is for operators: the owner reads a sentence of the service, in its language.
  const { failReason } = await readAsset(bed.ctx, account, upstreamAssetId);
  expect(failReason).toBe(
    "The asset was revoked after its review had passed. Ask the operator of the service.",
  );
  expect(failReasonIn("zh", failReason ?? "")).toBe("该素材在审核通过后被撤销。请联系服务运营方。");
  expect(await listReviews(bed.ctx.db, assetId)).toContainEqual(
    expect.objectContaining({ verdict: "revoked", reason: "the owner asked" }),
  );
});

test.each([
  [
    "is not there",
    { status: 404, body: Buffer.from("") },
    "could not be fetched: the link answered 404",
  ],
  [
    "is empty",
    { body: Buffer.alloc(0), type: "image/png" },
    "is not an image, video or audio file of a supported type",
  ],
  [
    "is text called an image",
    { body: Buffer.from("hello"), type: "image/png" },
    "is not an image, video or audio file of a supported type",
  ],
  [
    "is an SVG called PNG",
    { body: Buffer.from("<svg/>"), type: "image/png" },
    "is not an image, video or audio file of a supported type",
  ],
  ["is a GIF", { body: Buffer.from("GIF89a") }, "is a GIF image, which is not supported"],
  ["is cut off", { body: Buffer.from("\x89PNG\r\n\x1a\n", "latin1") }, "is damaged"],
])(
  "a file that %s fails the asset with a plain reason in both languages",
  async (what, file, reason) => {
    const account = await bed.openAccount();
    files = { ...files, "/bad": file };
    const asset = await uploadAsset(bed.ctx, account, { url: `${base}/bad`, type: "IMAGE" });
    await storeAsset(bed.ctx, asset.assetId);
    const view = await readAsset(bed.ctx, account, String(asset.assetId));
    expect(view.status, what).toBe("FAILED");
    expect(view.failReason).toContain(reason);
    expect(failReasonIn("zh", view.failReason ?? "")).not.toMatch(/[a-z]{3}/); // not even in part
  },
);

test("bytes decide: an image is one whatever its header says, and no video", async () => {
  const account = await bed.openAccount();
  const { assetId } = await uploaded(account, "b", image, "text/html");
  expect((await readAsset(bed.ctx, account, String(assetId))).size).toBe(image.length);
  files = { ...files, "/video.mp4": { body: image, type: "video/mp4" } };
  const video = await uploadAsset(bed.ctx, account, { url: `${base}/video.mp4`, type: "VIDEO" });
  await storeAsset(bed.ctx, video.assetId);
  const { failReason } = await readAsset(bed.ctx, account, String(video.assetId));
  expect(failReason).toBe("The file is of type IMAGE, but was uploaded as VIDEO.");
  expect(failReasonIn("zh", failReason ?? "")).toBe("文件类型是 IMAGE，但上传时声明为 VIDEO。");
});

test("a thousand assets are paged without gap or double while others come in", async () => {
  const account = await bed.openAccount();
  const insert = (count: number) =>
    bed.database.sql(
      `insert into assets (upstream_asset_id, account_id, type, status, size_bytes, content_type, width, height)
       select 'asset-1-' || md5(random()::text), $1, 'IMAGE', 'ACTIVE', 1, 'image/png', 1, 1 from generate_series(1, $2)`,
      [account.id, count],
    );
  await insert(1_000);
  const before = await bed.database.sql<{ id: string }>(
    "select id from assets where account_id = $1 order by id desc",
    [account.id],
  );
  const seen: number[] = [];
  let cursor: number | null | undefined;
  while (cursor !== null) {
    const page = await readAssets(bed.ctx, account, { limit: 37, cursor });
    seen.push(...page.items.map(({ assetId }) => assetId));
    cursor = page.nextCursor;
    await insert(3);
  }
  expect(seen).toEqual(before.map(({ id }) => Number(id)));
});

/** The verdict of each reviewer, in the order of the line, and the resulting status. */
test.each<
  [line: string, verdicts: Record<string, Verdict["kind"]>, status: string, asked: string[]]
>([
  ["automatic", { automatic: "passed" }, "ACTIVE", ["automatic"]],
  ["automatic", { automatic: "refused" }, "FAILED", ["automatic"]],
  ["automatic", { automatic: "unsure" }, "FAILED", ["automatic"]],
  ["automatic", { automatic: "waiting" }, "PROCESSING", ["automatic"]],
  [
    "automatic,vendor",
    { automatic: "unsure", vendor: "passed" },
    "ACTIVE",
    ["automatic", "vendor"],
  ],
  [
    "automatic,vendor",
    { automatic: "passed", vendor: "refused" },
    "FAILED",
    ["automatic", "vendor"],
  ],
  ["automatic,vendor", { automatic: "refused", vendor: "passed" }, "FAILED", ["automatic"]],
  ["automatic,manual", { automatic: "passed" }, "ACTIVE", ["automatic"]],
  ["automatic,manual", { automatic: "unsure" }, "PROCESSING", ["automatic"]],
  [
    "automatic,vendor,manual",
    { automatic: "unsure", vendor: "passed" },
    "ACTIVE",
    ["automatic", "vendor"],
  ],
  ["automatic", { automatic: "unable" }, "NONE", ["automatic"]],
  ["automatic,manual", { automatic: "unable" }, "PROCESSING", ["automatic"]],
  [
    "automatic,vendor",
    { automatic: "unable", vendor: "passed" },
    "ACTIVE",
    ["automatic", "vendor"],
  ],
  ["automatic,vendor", { automatic: "passed", vendor: "unable" }, "NONE", ["automatic", "vendor"]],
  [
    "automatic,vendor",
    { automatic: "unsure", vendor: "unable" },
    "FAILED",
    ["automatic", "vendor"],
  ],
  [
    "automatic,vendor,manual",
    { automatic: "passed", vendor: "unsure" },
    "PROCESSING",
    ["automatic", "vendor"],
  ],
])("the line %s that says %j ends %s", async (line, verdicts, status, asked) => {
  const names: string[] = [];
  const reviewer = (name: string): Reviewer => ({
    async review() {
      names.push(name);
      return { kind: verdicts[name] ?? "waiting", reason: `${name} says so` } as Verdict;
    },
  });
  const ctx = {
    ...bed.ctx,
    config: {
      ...bed.ctx.config,
      review: { ...bed.ctx.config.review, image: line.split(",") as ReviewerName[] },
    },
    reviewers: { automatic: reviewer("automatic"), vendor: reviewer("vendor") },
  };
  const account = await bed.openAccount();
  files = { ...files, "/line.png": { body: image } };
  const url = `${base}/line.png`;
  const { assetId } = await uploadAsset(ctx, account, { url, type: "IMAGE" });
  await storeAsset(ctx, assetId);
  await reviewAsset(ctx, assetId);
  expect((await readAsset(ctx, account, String(assetId))).status).toBe(status);
  expect(names).toEqual(asked);
});
