import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { claimOf } from "../../test/harness/claim-of.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { workAllSegments } from "../../test/harness/work-all-segments.ts";
import { changeAccount } from "../admin/accounts/change-account.ts";
import { buildApi } from "../api/build-api.ts";
import type { Scope } from "../db/tables/accounts.ts";
import { collectMedia } from "../generation/collect-media.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import type { TaskId } from "../ids.ts";
import { fetchObject } from "../media/storage/fetch-object.ts";
import { saveEnds } from "../tasks/queries.ts";
import { bindJob, claimSubmit } from "../tasks/submit-queries.ts";
import { listVisibleTasks } from "./queries.ts";
import { joinVideo } from "./segments/join-video.ts";
import { leaseSegment, listSegments } from "./segments/queries.ts";
import { workSegments } from "./segments/work-segments.ts";
import { validateSource } from "./validate-source.ts";

const run = promisify(execFile);
const waitLimits = { timeout: 180_000 };
const framesPerDayMax = 600;
const command = { kind: "command", user: "test", address: null, requestId: null } as const;
const scopes: Scope[] = ["tasks", "account"];

let scratch: Scratch;
let videos: FileServer;
let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
/** White, 7 s, 10 frames a second, with audio. */
let white: string;
beforeAll(async () => {
  scratch = await makeScratch("test-mode");
  videos = await serveFiles({ dir: scratch.path });
  bed = await openTestBed({
    ...quickUpscale,
    WORK_DIR: `${scratch.path}/work`,
    UPSCALE_SEGMENTS_MAX: "1",
    UPSCALE_SEGMENT_MEGAPIXELS: "100000",
    TEST_UPSCALED_FRAMES_PER_DAY_MAX: String(framesPerDayMax),
  });
  api = await buildApi(bed.ctx, { rememberKeyMs: 0 });
  const sources = [...lavfi("color=white:s=160x90:r=10:d=7"), ...lavfi("sine=d=7")];
  const codecs = ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-c:a", "aac"];
  white = await renderFile(join(scratch.path, "white.mp4"), [...sources, ...codecs]);
});
afterEach(async () => {
  await bed.database.sql("delete from upscales"); // the next test begins with no segment to do
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
  await videos[Symbol.asyncDispose]();
  await scratch.remove();
});

const shareDone = async (taskId: TaskId) =>
  (await listVisibleTasks(bed.ctx.pool, [taskId]))[0]?.shareDone ?? 0;

const call = (key: string, method: "GET" | "POST", path: string, payload?: object) =>
  api.inject(
    withoutUndefined({
      method,
      url: `/api/v1/${path}`,
      headers: { authorization: `Bearer ${key}` },
      payload,
    }),
  );

/** A customer with a live key and a test key that they made by themselves. */
async function openCustomer(credits = 100) {
  const { id, key } = await bed.openAccount({ credits, limits: { scopes: ["keys", ...scopes] } });
  const made = await call(key, "POST", "account/keys", { name: "t", mode: "test", scopes });
  return { id, liveKey: key, testKey: made.json<{ key: string }>().key, made };
}

async function upscale(key: string, target = "1080p", path = white) {
  const source = { type: "url", url: videos.urlOf(path) };
  const body = { source, targetResolution: target };
  const created = await call(key, "POST", "upscale/create", body);
  const { taskId } = created.json<{ taskId: TaskId }>();
  return { taskId, validation: await validateSource(bed.ctx, taskId) };
}

const generation = {
  model: "sd2",
  inputs: { prompt: "a fox", outputResolution: "1080p", upscaleResolution: "2k" },
};

/** A generated video that its vendor has delivered, as this file, and that is upscaled next. */
async function generate(key: string): Promise<TaskId> {
  const created = await call(key, "POST", "jobs/createTask", generation);
  const { taskId } = created.json<{ taskId: TaskId }>();
  await claimSubmit(bed.ctx.pool, claimOf(taskId));
  await bindJob(bed.ctx.pool, { taskId, jobId: randomUUID(), pollMs: 60_000 });
  const end = { taskId, resultUrl: videos.urlOf(white), failureCode: null, detail: null };
  await saveEnds(bed.ctx.pool, [end]);
  return taskId;
}

const useUpFrames = (taskId: TaskId) =>
  bed.database.sql(
    `insert into account_allowances select account_id, 'test_upscale_frames', $2, now()
     from open_tasks where task_id = $1`,
    [taskId, framesPerDayMax],
  );

/** Frames, seconds of audio, and how much of the middle of the frames is black. */
async function measure(path: string) {
  const probe = async (stream: string, entries: string) => {
    const args = ["-v", "error", "-select_streams", stream, "-count_packets"];
    const of = ["-show_entries", entries, "-of", "csv=p=0", path];
    return (await run("ffprobe", [...args, ...of])).stdout.trim();
  };
  const filters = "crop=iw/2:ih/2,scale=1:1:flags=area,format=gray";
  const decoded = ["-v", "error", "-i", path, "-vf", filters, "-f", "rawvideo", "pipe:1"];
  const { stdout } = await run("ffmpeg", decoded, { encoding: "buffer" });
  return {
    frames: Number(await probe("v:0", "stream=nb_read_packets")),
    audioSeconds: Number(await probe("a:0", "stream=duration")),
    brightest: Math.max(...stdout),
  };
}

async function resultOf(taskId: TaskId) {
  await workAllSegments(bed.ctx, taskId);
  const joined = await joinVideo(bed.ctx, taskId);
  if (joined.kind !== "delivered") throw new Error(joined.kind);
  const path = join(scratch.path, `${taskId}.mp4`);
  await fetchObject(bed.ctx.storage, joined.media.key, path);
  return { media: joined.media, ...(await measure(path)) };
}

test("a test key gets the first 5 s, with a mark across every frame; a live key gets all of it, without", async () => {
  const { liveKey, testKey } = await openCustomer();
  const live = await resultOf((await upscale(liveKey)).taskId);
  expect(live).toMatchObject({ frames: 70, media: { durationMs: 7_000 } });
  expect(live.brightest).toBeGreaterThan(250);
  const tried = await resultOf((await upscale(testKey)).taskId);
  expect(tried).toMatchObject({ frames: 50, media: { durationMs: 5_000, width: 1920 } });
  expect(tried.audioSeconds).toBeLessThanOrEqual(5.1);
  expect(tried.brightest).toBeLessThan(200);
  expect(tried.media.source).toMatchObject({ durationMs: 7_000 });
});

test("test segments get a turn only while no live segment waits, however many accounts send them", async () => {
  const tests = [];
  for (let count = 0; count < 3; count++)
    tests.push(await upscale((await openCustomer()).testKey, "4k"));
  const live = [await upscale((await openCustomer()).liveKey)];
  live.push(await upscale((await openCustomer()).liveKey));
  const lease = async () => (await leaseSegment(bed.ctx.db, crypto.randomUUID(), 60_000))?.taskId;
  const order = [];
  for (let count = 0; count < 5; count++) order.push(await lease());
  const ids = (all: { taskId: TaskId }[]) => all.map(({ taskId }) => taskId);
  expect(order).toEqual([...ids(live), ...ids(tests)]);
});

test("a test segment in progress gives way to a live one that arrives", async () => {
  const long = await renderFile(join(scratch.path, "long.mp4"), [
    ...lavfi("testsrc2=s=640x360:r=100:d=5"),
    "-pix_fmt",
    "yuv420p",
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
  ]);
  const { testKey, liveKey } = await openCustomer();
  const tried = await upscale(testKey, "4k", long);
  const stop = new AbortController();
  const working = workSegments(bed.ctx, stop.signal);
  try {
    await expect.poll(() => shareDone(tried.taskId), waitLimits).toBeGreaterThan(0);
    const live = await upscale(liveKey);
    await expect.poll(() => shareDone(live.taskId), waitLimits).toBe(1);
    const [segment] = await listSegments(bed.ctx.db, tried.taskId);
    expect(segment).toMatchObject({ objectKey: null, failure: null });
  } finally {
    stop.abort();
    await working;
  }
});

test("the frames of a day are limited per account: beyond them a create is refused, and costs no fetch", async () => {
  const { testKey, liveKey } = await openCustomer();
  const body = {
    source: { type: "url", url: videos.urlOf(white) },
    targetResolution: "1080p",
  };
  for (let used = 50; used <= framesPerDayMax; used += 50) {
    const { taskId, validation } = await upscale(testKey);
    expect(validation).toEqual({ kind: "settled" });
    await bed.database.sql("delete from open_tasks where task_id = $1", [taskId]); // room for the next
  }
  const refused = await call(testKey, "POST", "upscale/create", body);
  expect([refused.statusCode, refused.json().code]).toEqual([403, "test_allowance_used"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await call(liveKey, "POST", "upscale/create", body)).statusCode).toBe(200);
  const other = await openCustomer();
  expect((await upscale(other.testKey)).validation).toEqual({ kind: "settled" });
  await bed.database.sql(
    "update account_allowances set used_at = used_at - interval '1 day' where kind = 'test_upscale_frames'",
  );
  expect((await upscale(testKey)).validation).toEqual({ kind: "settled" });
});

test("tasks that were accepted before the frames were used up fail, and their hold is released with them", async () => {
  const { testKey } = await openCustomer();
  const source = { type: "url", url: videos.urlOf(white) };
  const body = { source, targetResolution: "1080p" };
  const created = await call(testKey, "POST", "upscale/create", body);
  await useUpFrames(created.json().taskId);
  const validation = await validateSource(bed.ctx, created.json().taskId);
  expect(validation).toMatchObject({ kind: "failed", code: "test_allowance_used" });
});

test("a generated video that a test key has upscaled is cut to 5 s and marked; a live key's is not", async () => {
  const { liveKey, testKey } = await openCustomer();
  const live = await generate(liveKey);
  expect(await collectMedia(bed.ctx, live)).toEqual({ kind: "waiting" });
  expect(await resultOf(live)).toMatchObject({ frames: 70, media: { durationMs: 7_000 } });
  const tried = await generate(testKey);
  expect(await collectMedia(bed.ctx, tried)).toEqual({ kind: "waiting" });
  const result = await resultOf(tried);
  expect(result).toMatchObject({ frames: 50, media: { durationMs: 5_000, width: 2560 } });
  expect(result.brightest).toBeLessThan(200);
});

test("a generation with an upscale fails if the frames are used up meanwhile, and keeps no file; the next one is refused", async () => {
  const { liveKey, testKey } = await openCustomer();
  const taskId = await generate(testKey);
  await useUpFrames(taskId);
  const countObjects = async () => (await bed.database.sql("select 1 from media_objects")).length;
  const before = await countObjects();
  const failed = { kind: "failed", code: "test_allowance_used" };
  expect(await collectMedia(bed.ctx, taskId)).toEqual(failed);
  expect(await countObjects()).toBe(before);
  const refused = await call(testKey, "POST", "jobs/createTask", generation);
  expect([refused.statusCode, refused.json().code]).toEqual([403, "test_allowance_used"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  const { upscaleResolution: _, ...inputs } = generation.inputs;
  const accepted = [
    await call(testKey, "POST", "jobs/createTask", { ...generation, inputs }),
    await call(liveKey, "POST", "jobs/createTask", generation),
  ];
  expect(accepted.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});

test.each([
  ["jobs/createTask", () => generation],
  [
    "upscale/create",
    () => ({ source: { type: "url", url: videos.urlOf(white) }, targetResolution: "1080p" }),
  ],
] as const)(
  "%s that is repeated gets its first answer also when the frames are used up",
  async (path, bodyOf) => {
    const { testKey } = await openCustomer();
    const send = (key: string) =>
      api.inject({
        method: "POST",
        url: `/api/v1/${path}`,
        payload: bodyOf(),
        headers: { authorization: `Bearer ${testKey}`, "idempotency-key": key },
      });
    const first = await send("one");
    await useUpFrames(first.json().taskId);
    const repeated = await send("one");
    expect([repeated.statusCode, repeated.json().taskId]).toEqual([200, first.json().taskId]);
    expect((await send("two")).json().code).toBe("test_allowance_used");
  },
);

test("test mode switched off for an account: no test key is issued, and none changes anything", async () => {
  const { id, testKey, liveKey, made } = await openCustomer();
  expect(made.statusCode).toBe(200);
  await changeAccount(bed.ctx, command, id, { testMode: "off" });
  const create = (key: string) =>
    call(key, "POST", "account/keys", { name: "t", mode: "test", scopes });
  const refused = await create(liveKey);
  expect([refused.statusCode, refused.json().code]).toEqual([403, "test_mode_off"]);
  const task = { model: "sd2", inputs: { prompt: "a fox" } };
  const used = await call(testKey, "POST", "jobs/createTask", task);
  expect([used.statusCode, used.json().code]).toEqual([403, "test_mode_off"]);
  expect((await call(testKey, "GET", "account/credits")).statusCode).toBe(200);
  expect((await call(liveKey, "POST", "jobs/createTask", task)).statusCode).toBe(200);
  await changeAccount(bed.ctx, command, id, { testMode: "on" });
  expect((await create(liveKey)).statusCode).toBe(200);
});

test("test mode switched off for the deployment: the same, for every account", async () => {
  const { testKey, liveKey } = await openCustomer();
  const { testMode } = bed.ctx.config;
  const config = { ...bed.ctx.config, testMode: { ...testMode, state: "off" as const } };
  const without = await buildApi({ ...bed.ctx, config });
  try {
    const post = (key: string, path: string, payload: object) =>
      without.inject({
        method: "POST",
        url: `/api/v1/${path}`,
        payload,
        headers: { authorization: `Bearer ${key}` },
      });
    const task = { model: "sd2", inputs: { prompt: "a fox" } };
    const answers = [
      await post(testKey, "jobs/createTask", task),
      await post(liveKey, "account/keys", { name: "t", mode: "test", scopes }),
    ];
    for (const answer of answers)
      expect([answer.statusCode, answer.json().code]).toEqual([403, "test_mode_off"]);
    expect((await post(liveKey, "jobs/createTask", task)).statusCode).toBe(200);
  } finally {
    await without.close();
  }
});
