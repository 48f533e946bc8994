import { renderClip } from "@zoetrope/testkit/make-media.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFile } from "../../test/boundaries/make-file.ts";
import { judge, revoke } from "../../test/harness/judge.ts";
import { type LibraryBed, openLibraryBed } from "../../test/harness/library-bed.ts";
import { readTaskId } from "../../test/harness/named-ids.ts";
import { workAllSegments } from "../../test/harness/work-all-segments.ts";
import { readBalance } from "../credits/ledger.ts";
import type { AssetId, TaskId } from "../ids.ts";
import { collectObjects } from "../media/storage/objects.ts";
import { joinVideo } from "./segments/join-video.ts";
import { workSegments } from "./segments/work-segments.ts";
import { validateSource } from "./validate-source.ts";

const cleanUp = new AsyncDisposableStack();
let dir: string;
let library: LibraryBed;
let video: Buffer;
beforeAll(async () => {
  dir = cleanUp.use(await makeScratch("asset-source")).path;
  const settings = { ...quickUpscale, SEGMENT_INTERVAL_MS: "50" };
  library = cleanUp.use(await openLibraryBed(dir, settings));
  video = await makeFile({ format: "webm", width: 64, height: 36, durationMs: 1_000 });
});
afterAll(() => cleanUp.disposeAsync());

async function uploaded(bytes = video) {
  const account = await library.bed.openAccount();
  const asset = await library.upload(account, bytes, "VIDEO");
  const source = { type: "uploadId", storageUrl: asset["storageUrl"] };
  const create = async () => {
    const body = { source, targetResolution: "1080p" };
    const answer = await library.call(account, "POST", "upscale/create", body);
    return { ...answer, taskId: readTaskId(answer.body["taskId"]) };
  };
  return { account, assetId: asset.assetId, create, source };
}

const decide = async (assetId: AssetId, verdict: "passed" | "refused") => {
  await judge(library.bed.ctx, assetId, verdict);
  await library.advance(assetId);
};

async function upscaled(taskId: TaskId) {
  await workAllSegments(library.bed.ctx, taskId);
  return joinVideo(library.bed.ctx, taskId);
}

test("an upscale of an asset in review is made", async () => {
  const { assetId, create } = await uploaded();
  await library.advance(assetId);
  const { taskId } = await create();
  expect(await validateSource(library.bed.ctx, taskId)).toEqual({ kind: "settled" });
  expect(await upscaled(taskId)).toMatchObject({ kind: "delivered", media: { height: 1080 } });
});

test.each(["mp4", "mov", "webm"])(
  "the quote of an asset of 120 frames a second, as %s, is the hold before and after it is measured again",
  async (ending) => {
    const codec = ending === "webm" ? ["-c:v", "libvpx"] : ["-c:v", "libx264", "-bf", "2"];
    const fast = await renderClip(`fast.${ending}`, [...codec, "-pix_fmt", "yuv420p"], 120, 4);
    const { account, assetId, create, source } = await uploaded(fast);
    await library.advance(assetId);
    const body = { source, targetResolution: "1080p" };
    const { body: quote } = await library.call(account, "POST", "upscale/quote", body);
    expect(quote).toMatchObject({ seconds: 8, credits: 24, isMeasured: true });
    const { credits: before } = await readBalance(library.bed.ctx.db, account.id);
    const held = async () =>
      before - (await readBalance(library.bed.ctx.db, account.id)).availableCredits;
    const { taskId } = await create();
    expect(await held()).toBe(24);
    expect(await validateSource(library.bed.ctx, taskId)).toEqual({ kind: "settled" });
    expect(await held()).toBe(24);
  },
);

test("an upscale that is created before the copy is there waits in validating, and is made", async () => {
  const { account, assetId, create } = await uploaded();
  const { status, taskId } = await create();
  expect(status).toBe(200);
  expect(await validateSource(library.bed.ctx, taskId)).toEqual({ kind: "settled" });
  const query = () => library.call(account, "GET", `upscale/query?taskId=${taskId}`);
  expect((await query()).body["status"]).toBe("validating");
  const soon = "select next_step_at < now() + interval '5 seconds' as is_soon from open_tasks";
  expect(await library.bed.database.sql(`${soon} where task_id = $1`, [taskId])).toEqual([
    { is_soon: true }, // the sweep continues it
  ]);
  await library.advance(assetId);
  expect(await validateSource(library.bed.ctx, taskId)).toEqual({ kind: "settled" });
  expect((await query()).body["status"]).toBe("processing");
  expect(await upscaled(taskId)).toMatchObject({ kind: "delivered", media: { height: 1080 } });
});

test.each([
  ["is not a video at all", Buffer.from("text"), "UNSUPPORTED_MEDIA_TYPE"],
  ["is not there", null, "URL_NOT_REACHABLE"],
])("an upscale whose awaited copy %s fails by that code", async (_, bytes, code) => {
  const { assetId, create } = await uploaded(bytes ?? video);
  if (bytes === null) {
    const gone = "update assets set url = url || '/gone' where id = $1";
    await library.bed.database.sql(gone, [assetId]);
  }
  const { taskId } = await create();
  await library.advance(assetId);
  expect(await validateSource(library.bed.ctx, taskId)).toMatchObject({ kind: "failed", code });
  expect(await create()).toMatchObject({ status: 400, body: { code } });
});

test.each(["stored", "not stored"])(
  "an upscale accepted before a refusal is made: the copy, %s then, is kept for it and shown to nobody",
  async (then) => {
    const { account, assetId, create } = await uploaded();
    if (then === "stored") await library.advance(assetId);
    const { taskId } = await create();
    await library.advance(assetId);
    const status = `assets/status?assetId=${assetId}`;
    const { previewUrl, storageUrl } = (await library.call(account, "GET", status)).body;
    await decide(assetId, "refused");
    await collectObjects(library.bed.ctx, 1_000);
    for (const link of [previewUrl, storageUrl])
      expect((await library.open(String(link))).status).toBe(404);
    expect(await create()).toMatchObject({ status: 400, body: { code: "SOURCE_GONE" } });
    expect(await validateSource(library.bed.ctx, taskId)).toEqual({ kind: "settled" });
    expect(await upscaled(taskId)).toMatchObject({ kind: "delivered" });
  },
);

test("an upscale whose asset is revoked fails, before its source is taken and while it is worked on", async () => {
  const { assetId, create } = await uploaded();
  await library.advance(assetId);
  await decide(assetId, "passed");
  const [early, late] = [await create(), await create()];
  await validateSource(library.bed.ctx, late.taskId);
  await revoke(library.bed.ctx, assetId);
  await collectObjects(library.bed.ctx, 1_000);
  const failed = { kind: "failed", code: "SOURCE_GONE" };
  expect(await validateSource(library.bed.ctx, early.taskId)).toMatchObject(failed);
  const stop = new AbortController();
  const working = workSegments(library.bed.ctx, stop.signal);
  const hasFailed = () => joinVideo(library.bed.ctx, late.taskId);
  await expect.poll(hasFailed, { timeout: 180_000 }).toMatchObject(failed);
  stop.abort();
  await working;
});
