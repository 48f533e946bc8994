import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFile } from "../../test/boundaries/make-file.ts";
import { judge } from "../../test/harness/judge.ts";
import { type LibraryBed, openLibraryBed, paint } from "../../test/harness/library-bed.ts";
import { readTaskId } from "../../test/harness/named-ids.ts";
import { collectObjects } from "../media/storage/objects.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { findAsset } from "./queries.ts";
import { listReviews } from "./review/queries.ts";

const cleanUp = new AsyncDisposableStack();
let dir: string;
let library: LibraryBed;
beforeAll(async () => {
  dir = cleanUp.use(await makeScratch("delete")).path;
  library = cleanUp.use(await openLibraryBed(dir, { REVIEW_VIDEO: "" }));
});
afterAll(() => cleanUp.disposeAsync());

const notFound = { status: 404, body: { code: "asset_not_found" } };

test.each(["assetId", "upstreamAssetId"])(
  "a deleted asset is unknown by every id, and its copy and bytes are gone; deleted by its %s",
  async (name) => {
    const { call, bed } = library;
    const account = await bed.openAccount();
    const asset = await library.upload(account, await paint());
    await library.advance(asset["assetId"]);
    const { assetId } = asset;
    await judge(bed.ctx, assetId, "passed");
    await library.advance(assetId);
    const answer = await call(account, "DELETE", `assets?assetId=${asset[name]}`);
    expect(answer).toMatchObject({
      status: 200,
      body: { assetId, upstreamAssetId: asset["upstreamAssetId"], deleted: true },
    });
    for (const id of [assetId, asset["upstreamAssetId"]]) {
      expect(await call(account, "DELETE", `assets?assetId=${id}`)).toMatchObject(notFound);
      expect(await call(account, "GET", `assets/status?assetId=${id}`)).toMatchObject(notFound);
    }
    expect((await call(account, "GET", "assets/list")).body["items"]).toEqual([]);
    expect((await library.open(String(asset["storageUrl"]))).status).toBe(404);
    const inputs = { urls: [`asset://${asset["upstreamAssetId"]}`] };
    const create = await call(account, "POST", "jobs/createTask", { model: "sd2", inputs });
    expect(create).toMatchObject({ status: 400, body: { param: "inputs.urls[0]" } });
    const row = await findAsset(bed.ctx.db, assetId);
    await collectObjects(bed.ctx, 1_000);
    expect(await bed.ctx.storage.openRead(String(row?.storage_key))).toBeNull();
    expect({ url: row?.url, name: row?.name }).toEqual({ url: "", name: null });
    expect(await listReviews(bed.ctx.db, assetId)).toHaveLength(1); // the record stays
  },
);

test("an asset that is deleted while its file is fetched leaves no copy behind", async () => {
  const account = await library.bed.openAccount();
  const { assetId } = await library.upload(account, await paint());
  await library.call(account, "DELETE", `assets?assetId=${assetId}`);
  await library.advance(assetId);
  const row = await findAsset(library.bed.ctx.db, assetId);
  expect(row).toMatchObject({ status: "FAILED", storage_key: null });
});

test("an asset that an open task uses is deleted when the task has ended", async () => {
  const { call, bed } = library;
  const account = await bed.openAccount();
  const bytes = await makeFile({ format: "mp4", width: 64, height: 64, durationMs: 1_000 });
  const asset = await library.upload(account, bytes, "VIDEO");
  const source = { type: "uploadId", storageUrl: asset["storageUrl"] };
  const body = { source, targetResolution: "1080p" };
  const early = await call(account, "POST", "upscale/create", body); // before it is stored
  await library.advance(asset["assetId"]);
  const late = await call(account, "POST", "upscale/create", body);
  for (const { body: task } of [early, late]) {
    const remove = () => call(account, "DELETE", `assets?assetId=${asset["assetId"]}`);
    expect(await remove()).toMatchObject({ status: 409, body: { code: "asset_in_use" } });
    const failed = { kind: "failed", code: "task_expired" } as const;
    await finishTask(bed.ctx, readTaskId(task["taskId"]), failed);
  }
  expect((await call(account, "DELETE", `assets?assetId=${asset["assetId"]}`)).status).toBe(200);
});

test("a task whose asset is revoked before it begins fails by the input's name", async () => {
  const { call, bed } = library;
  const account = await bed.openAccount();
  const asset = await library.upload(account, await paint());
  await library.advance(asset["assetId"]);
  const inputs = { urls: [`asset://${asset["upstreamAssetId"]}`] };
  const { body } = await call(account, "POST", "jobs/createTask", { model: "happyhorse", inputs });
  await bed.database.sql("update assets set status = 'FAILED' where id = $1", [asset["assetId"]]);
  const { findOpenTask } = await import("../tasks/open-task-queries.ts");
  const { takeInputs } = await import("../generation/submit/take-inputs.ts");
  const task = await findOpenTask(bed.ctx.db, readTaskId(body["taskId"]));
  if (task === undefined) throw new Error("the task is gone");
  expect(await takeInputs(bed.ctx, task, null)).toMatchObject({
    kind: "failed",
    code: "input_unusable",
    message: expect.stringMatching(/^inputs\.urls\[0\]: the asset is no longer available/),
  });
});
