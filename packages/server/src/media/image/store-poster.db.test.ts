import assert from "node:assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lavfi, makeImage, pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { createTask } from "../../generation/create-task.ts";
import { deleteMedia } from "../../generation/delete-media.ts";
import { queryTask } from "../../generation/query-task.ts";
import { completeTask } from "../../tasks/complete-task.ts";
import { listTaskObjects } from "../../tasks/erase-tasks.ts";
import { fetchObject, measureFile } from "../storage/fetch-object.ts";
import { collectObjects, storeFile } from "../storage/objects.ts";
import { openImage } from "./decoder/open-image.js";
import { type MarkPoster, storePoster } from "./store-poster.ts";

const unmarked: MarkPoster = (webp) => webp;

let bed: TestBed;
let scratch: Scratch;
let video: string;
beforeAll(async () => {
  bed = await openTestBed();
  scratch = await makeScratch("poster");
  const args = pattern({ size: "1280x720", rate: 5, seconds: 2 });
  video = await renderFile(join(scratch.path, "video.mp4"), args);
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await scratch.remove();
});

const ofVideo = () => ({ path: video, contentType: "video/mp4", durationMs: 2_000 });

async function sidesOf(key: string) {
  const path = join(scratch.path, key);
  await fetchObject(bed.ctx.storage, key, path);
  const { format, width, height } = await openImage(path).metadata();
  return { format, width, height };
}

test("a video has a poster of one of its frames, a WebP of at most 480 pixels a side", async () => {
  const poster = await storePoster(bed.ctx, ofVideo(), scratch.path, unmarked);
  assert(poster !== null);
  expect(await sidesOf(poster.key)).toEqual({ format: "webp", width: 480, height: 270 });
  expect(Buffer.from(poster.thumbhash, "base64").length).toBeGreaterThan(15);
  expect(poster.print).toMatch(/^[1-9]\d{9,18}$/);
});

test("a video that begins with one colour has a poster of what comes after", async () => {
  const black = "drawbox=color=black:t=fill:enable='lt(t,0.5)'";
  const path = await renderFile(join(scratch.path, "fading.mp4"), [
    ...lavfi(`testsrc2=s=320x180:r=10:d=2,${black}`),
    "-pix_fmt",
    "yuv420p",
    "-g",
    "250",
  ]);
  const output = { ...ofVideo(), path };
  const poster = await storePoster(bed.ctx, output, scratch.path, unmarked);
  assert(poster !== null);
  await fetchObject(bed.ctx.storage, poster.key, join(scratch.path, poster.key));
  const { channels } = await openImage(join(scratch.path, poster.key)).stats();
  expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(20);
});

test("a short video has one too, and so has an image, which keeps its size", async () => {
  const args = pattern({ size: "320x180", rate: 5, seconds: 0.4 });
  const path = await renderFile(join(scratch.path, "short.mp4"), args);
  const short = { path, contentType: "video/mp4", durationMs: 400 };
  expect(await storePoster(bed.ctx, short, scratch.path, unmarked)).not.toBeNull();
  const imagePath = join(scratch.path, "image.png");
  await writeFile(imagePath, await makeImage("testsrc2=s=64x128"));
  const image = { path: imagePath, contentType: "image/png", durationMs: null };
  const poster = await storePoster(bed.ctx, image, scratch.path, unmarked);
  assert(poster !== null);
  expect(await sidesOf(poster.key)).toEqual({ format: "webp", width: 64, height: 128 });
});

test("what cannot be read has no poster, and that is no error", async () => {
  const path = join(scratch.path, "broken");
  await writeFile(path, "no media");
  for (const broken of [
    { path, contentType: "video/mp4", durationMs: 1_000 },
    { path, contentType: "image/png", durationMs: null },
    { path: join(scratch.path, "missing"), contentType: "image/png", durationMs: null },
  ])
    expect(await storePoster(bed.ctx, broken, scratch.path, unmarked)).toBeNull();
});

async function completed(hasPoster: boolean) {
  const account = await bed.openAccount();
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const facts = { contentType: "video/mp4", ...(await measureFile(video)) };
  const key = await storeFile(bed.ctx, video, "mp4", facts);
  const poster = hasPoster ? await storePoster(bed.ctx, ofVideo(), scratch.path, unmarked) : null;
  const sides = { width: 1280, height: 720, durationMs: 2_000 };
  await completeTask(bed.ctx, taskId, { key, ...facts, ...sides, poster });
  const [output] = (await queryTask(bed.ctx, account, taskId)).output ?? [];
  assert(output !== undefined);
  return { account, taskId, key, poster, output, sizeBytes: facts.sizeBytes };
}

const isThere = async (key: string) => (await bed.ctx.storage.locate(key)) !== null;
const pass = (days: number) =>
  bed.database.sql(`update media_objects set expires_at = expires_at - interval '${days} days'`);

test("an output says what it is, and where its poster is", async () => {
  const { output, poster, sizeBytes } = await completed(true);
  const url = `${bed.ctx.config.links.publicUrl}/media/${poster?.key}`;
  expect(output).toMatchObject({
    mediaType: "video/mp4",
    durationSeconds: 2,
    sizeBytes,
    posterUrl: url,
    thumbhash: poster?.thumbhash,
  });
  const without = await completed(false);
  expect(without.output).toMatchObject({ posterUrl: null, thumbhash: null, durationSeconds: 2 });
});

test("a poster is kept as long as its output and goes with it", async () => {
  const { key, poster } = await completed(true);
  assert(poster !== null);
  await pass(29);
  await collectObjects(bed.ctx, 100);
  expect([await isThere(key), await isThere(poster.key)]).toEqual([true, true]);
  await pass(2);
  await collectObjects(bed.ctx, 100);
  expect([await isThere(key), await isThere(poster.key)]).toEqual([false, false]);
});

test("deleting the media of a task deletes its poster, and erasing an account finds it", async () => {
  const { account, taskId, key, poster } = await completed(true);
  assert(poster !== null);
  const [objects] = await listTaskObjects(bed.ctx.db, account.id, null, 10);
  expect(objects?.objectKeys).toEqual([key, poster.key]);
  expect(await deleteMedia(bed.ctx, account, taskId)).toEqual({ deleted: 1 });
  expect([await isThere(key), await isThere(poster.key)]).toEqual([false, false]);
});

test("a second run that comes too late leaves neither its file nor its poster", async () => {
  const { taskId, key, poster } = await completed(true);
  const facts = { contentType: "video/mp4", ...(await measureFile(video)) };
  const late = await storeFile(bed.ctx, video, "mp4", facts);
  const latePoster = await storePoster(bed.ctx, ofVideo(), scratch.path, unmarked);
  const sides = { width: 1280, height: 720, durationMs: 2_000 };
  await completeTask(bed.ctx, taskId, { key: late, ...facts, ...sides, poster: latePoster });
  assert(poster !== null && latePoster !== null);
  expect([await isThere(late), await isThere(latePoster.key)]).toEqual([false, false]);
  expect([await isThere(key), await isThere(poster.key)]).toEqual([true, true]);
});
