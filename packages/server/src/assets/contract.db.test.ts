import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFile } from "../../test/boundaries/make-file.ts";
import { judge, revoke } from "../../test/harness/judge.ts";
import { type LibraryBed, openLibraryBed, paint } from "../../test/harness/library-bed.ts";
import { readAssetId } from "../../test/harness/named-ids.ts";
import type { AssetId } from "../ids.ts";
import { collectObjects } from "../media/storage/objects.ts";

const cleanUp = new AsyncDisposableStack();
let dir: string;
let library: LibraryBed;
beforeAll(async () => {
  dir = cleanUp.use(await makeScratch("contract")).path;
  library = cleanUp.use(await openLibraryBed(dir, { REVIEW_VIDEO: "", REVIEW_AUDIO: "" }));
});
afterAll(() => cleanUp.disposeAsync());

const decide = async (assetId: AssetId, verdict: "passed" | "refused") => {
  await judge(library.bed.ctx, assetId, verdict);
  await library.advance(assetId);
};

test("storageUrl is known at upload and never changes; url comes back exactly as submitted", async () => {
  const account = await library.bed.openAccount();
  const url = `${library.server.offer(await paint()).replace("https:", "HTTPS:")}/../x?a=%7e b#part`;
  const path = library.server.offer(await paint());
  const odd = `${path.replace("https:", "HTTPS:")}#a b`;
  for (const submitted of [url, odd]) {
    const body = { url: submitted, type: "IMAGE" };
    const { body: uploaded } = await library.call(account, "POST", "assets/upload", body);
    expect(uploaded).toMatchObject({ url: submitted, storageUrl: expect.stringMatching(/^http/) });
    await library.advance(readAssetId(uploaded["assetId"]));
    const status = `assets/status?assetId=${uploaded["assetId"]}`;
    const { body: read } = await library.call(account, "GET", status);
    const { body: list } = await library.call(account, "GET", "assets/list?limit=1");
    for (const seen of [read, (list["items"] as unknown[])[0]])
      expect(seen).toMatchObject({ url: submitted, storageUrl: uploaded["storageUrl"] });
  }
});

test("an image in review is served to its owner's signed link only, and never cached", async () => {
  const account = await library.bed.openAccount();
  const image = await paint();
  const { assetId, storageUrl } = await library.upload(account, image);
  expect((await library.open(String(storageUrl))).status).toBe(404); // nothing there yet
  await library.advance(assetId);
  expect((await library.open(String(storageUrl))).status).toBe(403);
  const { body } = await library.call(account, "GET", `assets/status?assetId=${assetId}`);
  const seen = await library.open(String(body["previewUrl"]));
  expect(seen).toMatchObject({ status: 200, cacheControl: "private, no-store", bytes: image });
  const forged = String(body["previewUrl"]).replace(/expires=\d+/, "expires=99999999999999");
  expect((await library.open(forged)).status).toBe(403);
  const row = await library.bed.database.sql<{ storage_key: string }>(
    "select storage_key from assets where id = $1",
    [assetId],
  );
  const bare = `${library.bed.ctx.config.links.publicUrl}/media/${row[0]?.storage_key}`;
  expect((await library.open(bare)).status).toBe(403);

  await decide(assetId, "passed");
  expect(await library.open(String(storageUrl))).toMatchObject({ status: 200, bytes: image });
});

test.each(["refused", "revoked"])("the copy of a %s asset is gone at once", async (how) => {
  const account = await library.bed.openAccount();
  const { assetId, storageUrl } = await library.upload(account, await paint());
  await library.advance(assetId);
  const status = `assets/status?assetId=${assetId}`;
  const { previewUrl } = (await library.call(account, "GET", status)).body;
  if (how === "refused") await decide(assetId, "refused");
  else {
    await decide(assetId, "passed");
    await revoke(library.bed.ctx, assetId);
  }
  for (const link of [storageUrl, previewUrl])
    expect((await library.open(String(link))).status).toBe(404);
  const { body } = await library.call(account, "GET", status);
  expect(body).toMatchObject({ status: "FAILED", storageUrl, previewUrl: null });
  const keyOf = "select storage_key as key from assets where id = $1";
  const [row] = await library.bed.database.sql<{ key: string }>(keyOf, [assetId]);
  await collectObjects(library.bed.ctx, 1_000);
  expect(await library.bed.ctx.storage.openRead(String(row?.key))).toBeNull();
});

test.each([
  ["an MP4 of 20 s", { format: "mp4", durationMs: 20_000 }, "must be at most 15 s"],
  ["a WebM", { format: "webm", durationMs: 2_000 }, "must be mp4 or mov"],
] as const)(
  "%s is stored, and refused where it is used as a reference",
  async (_, sample, rule) => {
    const account = await library.bed.openAccount();
    const bytes = await makeFile({ width: 64, height: 64, ...sample });
    const { assetId, upstreamAssetId } = await library.upload(account, bytes, "VIDEO");
    await library.advance(assetId);
    const { body } = await library.call(account, "GET", `assets/status?assetId=${assetId}`);
    expect(body).toMatchObject({ status: "NONE", failReason: null, size: bytes.length });
    await library.bed.database.sql("update assets set status = 'ACTIVE' where id = $1", [assetId]);
    const videoUrls = [`asset://${upstreamAssetId}`];
    const inputs = { videoInputMode: "reference", resolution: "1280x720", videoUrls };
    const refused = await library.call(account, "POST", "jobs/createTask", {
      model: "sd2",
      inputs,
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { param: "inputs.videoUrls[0]", message: expect.stringContaining(rule) },
    });
  },
);

test("a BMP is an image of the library", async () => {
  const account = await library.bed.openAccount();
  const bytes = await makeFile({ format: "bmp", width: 400, height: 300 });
  const { assetId } = await library.upload(account, bytes);
  await library.advance(assetId);
  const { body } = await library.call(account, "GET", `assets/status?assetId=${assetId}`);
  expect(body).toMatchObject({ status: "PROCESSING", width: 400, height: 300, failReason: null });
});

test.each([
  ["sd2", { urls: "x" }],
  ["happyhorse", { urls: "x" }],
  ["image-plus-2", { prompt: "a cat", urls: "x" }],
])("%s and the review: what each status of an image is worth", async (model, inputs) => {
  const account = await library.bed.openAccount({ openTasksMax: 10 });
  const { assetId, upstreamAssetId } = await library.upload(account, await paint());
  const create = async () => {
    const body = { model, inputs: { ...inputs, urls: [`asset://${upstreamAssetId}`] } };
    const { status, body: answer } = await library.call(account, "POST", "jobs/createTask", body);
    return status === 200 ? 200 : `${answer["param"]} ${status}`;
  };
  const needsReview = model === "sd2";
  const no = "inputs.urls[0] 400";
  expect(await create()).toBe(no); // not stored
  await library.advance(assetId);
  expect(await create()).toBe(needsReview ? no : 200); // in review
  const set = (status: string) =>
    library.bed.database.sql("update assets set status = $1 where id = $2", [status, assetId]);
  await set("NONE");
  expect(await create()).toBe(needsReview ? no : 200);
  await set("ACTIVE");
  expect(await create()).toBe(200);
  await set("FAILED");
  expect(await create()).toBe(no);
});
