import { randomUUID } from "node:crypto";
import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { readBalance } from "../../credits/ledger.ts";
import type { TaskId } from "../../ids.ts";
import { collectObjects } from "../../media/storage/objects.ts";
import { finishTask } from "../../tasks/finish-task.ts";
import { createUpscale } from "../create-upscale.ts";
import { sweepUpscales } from "../forget-upscale.ts";
import { listVisibleTasks } from "../queries.ts";
import { validateSource } from "../validate-source.ts";
import { joinVideo } from "./join-video.ts";
import { takeSegment } from "./lease-segment.ts";
import { keepSegment, leaseSegment, listSegments, saveSegment } from "./queries.ts";
import { workSegments } from "./work-segments.ts";

const leaseMs = 60_000;
const noLeaseMs = 0;
const credits = 10_000;

let scratch: Scratch;
let videos: FileServer;
let video: string;
let bed: TestBed;
beforeAll(async () => {
  scratch = await makeScratch("segments");
  videos = await serveFiles({ dir: scratch.path });
  video = await renderFile(
    join(scratch.path, "video.mp4"),
    pattern({ size: "320x180", rate: 60, seconds: 6 }),
  );
  const workDir = `${scratch.path}/work`;
  const slow = { UPSCALE_PRESET: "slow", UPSCALE_SEGMENT_MEGAPIXELS: "990" };
  bed = await openTestBed({ ...slow, WORK_DIR: workDir });
});
afterEach(async () => {
  await bed.database.sql("delete from upscales"); // the next test begins with no segment to do
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
  await videos[Symbol.asyncDispose]();
  await scratch.remove();
});

const shareDone = async (taskId: TaskId) =>
  (await listVisibleTasks(bed.ctx.pool, [taskId]))[0]?.shareDone ?? 0;

/** A task with three segments of 120 frames, each of them a minute of work. */
async function start(of?: Awaited<ReturnType<TestBed["openAccount"]>>) {
  const account = of ?? (await bed.openAccount({ credits }));
  const source = { type: "url", url: videos.urlOf(video) } as const;
  const body = { source, targetResolution: "4k" } as const;
  const { taskId } = await createUpscale(bed.ctx, account, body, null);
  expect(await validateSource(bed.ctx, taskId)).toEqual({ kind: "settled" });
  expect(await listSegments(bed.ctx.db, taskId)).toHaveLength(3);
  return { account, taskId };
}

interface SegmentState {
  number: number;
  taken: boolean;
  tries: number;
  free: boolean;
}

function readSegments(taskId: TaskId): Promise<SegmentState[]> {
  return bed.database.sql<SegmentState>(
    `select number, leased_by is not null as taken, tries, free_at <= now() as free
     from upscale_segments where task_id = $1 order by number`,
    [taskId],
  );
}

async function atWork(taskId: TaskId): Promise<void> {
  const isAtWork = async () => (await shareDone(taskId)) > 0;
  await expect.poll(isAtWork, { timeout: 180_000 }).toBe(true);
}

test("a stopping worker returns its segments at once, as if it had not tried", async () => {
  const { taskId } = await start();
  const stop = new AbortController();
  const working = workSegments(bed.ctx, stop.signal);
  await atWork(taskId);
  stop.abort();
  await working;
  const given = { taken: false, tries: 0, free: true };
  const open = (await listSegments(bed.ctx.db, taskId)).filter(
    ({ objectKey }) => objectKey === null,
  );
  const segments = await readSegments(taskId);
  expect(open.length).toBeGreaterThan(0);
  for (const { number } of open) expect(segments[number]).toEqual({ number, ...given });
  expect(await readdir(bed.ctx.workDir)).toEqual(["sources"]);
});

test("of workers that ask at once each gets a segment of its own", async () => {
  await start();
  await start();
  const taken = await Promise.all(
    Array.from({ length: 8 }, () => leaseSegment(bed.ctx.db, randomUUID(), leaseMs)),
  );
  const segments = taken.flatMap((segment) => (segment === undefined ? [] : [segment]));
  expect(new Set(segments.map(({ taskId, number }) => `${taskId} ${number}`)).size).toBe(6);
  expect(segments).toHaveLength(6);
});

test("accounts take turns whatever came first, and the videos of one are done in their order", async () => {
  const long = await start();
  const its = { [long.taskId]: "long", [(await start(long.account)).taskId]: "its next" };
  const take = async () => {
    const { taskId = "", number } = (await leaseSegment(bed.ctx.db, randomUUID(), leaseMs)) ?? {};
    return `${its[taskId] ?? "other"} ${number}`;
  };
  expect([await take(), await take()]).toEqual(["long 0", "long 1"]);
  its[(await start()).taskId] = "newcomer";
  expect([await take(), await take()]).toEqual(["newcomer 0", "long 2"]);
  its[(await start()).taskId] = "another";
  const turns = [await take(), await take(), await take(), await take()];
  expect(turns).toEqual(["another 0", "newcomer 1", "its next 0", "another 1"]);
});

test("a segment whose worker fell silent is taken by another, and what the first one brings is not taken", async () => {
  const { taskId } = await start();
  const [silent, other] = [randomUUID(), randomUUID()];
  const first = await leaseSegment(bed.ctx.db, silent, noLeaseMs);
  expect(first).toMatchObject({ taskId, number: 0, tries: 1 });
  expect(await leaseSegment(bed.ctx.db, other, leaseMs)).toMatchObject({ number: 0, tries: 2 });
  const lost = { taskId, number: 0, worker: silent };
  expect(await keepSegment(bed.ctx.db, lost, 5, leaseMs)).toBe(false);
  expect(await saveSegment(bed.ctx.db, lost, { key: "late", sizeBytes: 1 })).toBe(false);
  const held = { taskId, number: 0, worker: other };
  expect(await saveSegment(bed.ctx.db, held, { key: "done", sizeBytes: 1 })).toBe(true);
  expect(await saveSegment(bed.ctx.db, held, { key: "again", sizeBytes: 1 })).toBe(false);
  expect((await listSegments(bed.ctx.db, taskId))[0]).toMatchObject({ objectKey: "done" });
});

test("progress never falls, also when a segment is started again", async () => {
  const { taskId } = await start();
  const [first, second] = [randomUUID(), randomUUID()];
  await leaseSegment(bed.ctx.db, first, noLeaseMs);
  await keepSegment(bed.ctx.db, { taskId, number: 0, worker: first }, 15, noLeaseMs);
  await leaseSegment(bed.ctx.db, second, leaseMs);
  await keepSegment(bed.ctx.db, { taskId, number: 0, worker: second }, 3, leaseMs);
  expect(await shareDone(taskId)).toBe(15 / 360);
  await keepSegment(bed.ctx.db, { taskId, number: 0, worker: second }, 1_000, leaseMs);
  expect(await shareDone(taskId)).toBe(120 / 360);
});

test("a segment that six workers died of is given up: the task fails and costs nothing", async () => {
  const { account, taskId } = await start();
  await bed.database.sql(
    "update upscale_segments set tries = 6 where task_id = $1 and number = 1",
    [taskId],
  );
  const stop = new AbortController();
  const working = workSegments(bed.ctx, stop.signal);
  const isGivenUp = async () =>
    (await listSegments(bed.ctx.db, taskId)).some(({ failure }) => failure !== null);
  await expect.poll(isGivenUp, { timeout: 180_000 }).toBe(true);
  stop.abort();
  await working;
  const joined = await joinVideo(bed.ctx, taskId);
  expect(joined).toEqual({ kind: "failed", code: "task_broken" });
  if (joined.kind === "failed") await finishTask(bed.ctx, taskId, joined);
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits, availableCredits: credits });
});

test("when a task is over its segments and its source go, and workers at work on them stop", async () => {
  const { taskId } = await start();
  const [upscale] = await bed.database.sql<{ source: string }>(
    "select source_key as source from upscales where task_id = $1",
    [taskId],
  );
  const locate = () => bed.ctx.storage.locate(upscale?.source ?? "");
  expect(await locate()).not.toBeNull();
  const stop = new AbortController();
  const working = workSegments(bed.ctx, stop.signal);
  await atWork(taskId);
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "task_expired" });
  await sweepUpscales(bed.ctx);
  expect(await listSegments(bed.ctx.db, taskId)).toEqual([]);
  await collectObjects(bed.ctx, 100);
  expect(await locate()).toBeNull();
  const foldersOfSegments = async () =>
    (await readdir(bed.ctx.workDir)).filter((name) => name.startsWith("segment-"));
  await expect.poll(foldersOfSegments, { timeout: 180_000 }).toEqual([]);
  stop.abort();
  await working;
});

test("an upscale whose row fails the statement is counted, and the segments of others are taken", async () => {
  const bad = await start();
  const good = await start();
  // the next try does not fit into its column
  await bed.database.sql("update upscale_segments set tries = 2147483647 where task_id = $1", [
    bad.taskId,
  ]);
  await bed.database.sql("delete from upscale_turns"); // the bad one's turn comes first
  for (const number of [0, 1, 2])
    expect(await takeSegment(bed.ctx, randomUUID(), leaseMs)).toMatchObject({
      taskId: good.taskId,
      number,
    });
  expect(await takeSegment(bed.ctx, randomUUID(), leaseMs)).toBeUndefined();
  expect(await bed.database.sql("select loop, key, account_id, failures from stuck_rows")).toEqual([
    { loop: "work segments", key: bad.taskId, account_id: bad.account.id, failures: 1 },
  ]);
});

test("an upscale that cannot be forgotten now keeps no other from being forgotten", async () => {
  const [locked, other] = [await start(), await start()];
  for (const { taskId } of [locked, other])
    await finishTask(bed.ctx, taskId, { kind: "failed", code: "task_expired" });
  const locker = new Client({ connectionString: bed.database.ownerUrl });
  await locker.connect();
  await locker.query("begin");
  await locker.query("select from upscales where task_id = $1 for update", [locked.taskId]);
  await sweepUpscales(bed.ctx);
  const leftover = await bed.database.sql("select task_id from upscales");
  expect(leftover).toEqual([{ task_id: locked.taskId }]);
  await locker.end();
});

test("a segment whose source storage does not give has not been tried: it is taken up when storage is back", async () => {
  const { taskId } = await start();
  await bed.database.sql("update upscale_segments set tries = 5 where task_id = $1", [taskId]);
  const { storageDir: root } = bed;
  await rename(root, `${root}-away`);
  await writeFile(root, "not a folder");
  const stop = new AbortController();
  const working = workSegments(bed.ctx, stop.signal);
  const isReturned = async () =>
    (await readSegments(taskId)).some(({ taken, free }) => !taken && !free);
  await expect.poll(isReturned, { timeout: 180_000 }).toBe(true);
  await rm(root);
  await rename(`${root}-away`, root);
  await atWork(taskId);
  stop.abort();
  await working;
  const segments = await listSegments(bed.ctx.db, taskId);
  expect(segments.map(({ failure }) => failure)).toEqual([null, null, null]);
  expect((await readSegments(taskId)).map(({ tries }) => tries)).toEqual([5, 5, 5]);
});
