import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { hashAudio, readStreams } from "@zoetrope/testkit/read-video.ts";
import { afterAll, afterEach, assert, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../../test/harness/check-money.ts";
import { chinaPolicy } from "../../../test/harness/china-policy.ts";
import {
  isAccepted,
  isDone,
  isGivenUp,
  openVendorUpscaleBed,
  type VendorUpscaleBed,
  waitLimits,
} from "../../../test/harness/vendor-upscale-bed.ts";
import { createKey } from "../../accounts/create-key.ts";
import { createTestAccount } from "../../accounts/create-test-account.ts";
import { grantCredits, readBalance } from "../../credits/ledger.ts";
import { DatabaseUnavailable } from "../../db/connections.ts";
import type { Db } from "../../db/database.ts";
import { probeMedia } from "../../media/probe/probe.ts";
import { placeLabel } from "../../media/visible-label.ts";
import { completeTask } from "../../tasks/complete-task.ts";
import { finishTask } from "../../tasks/finish-task.ts";
import { createFal, falSchema } from "../../vendors/fal/fal.ts";
import { forgetUpscale, sweepUpscales } from "../forget-upscale.ts";
import { queryUpscale } from "../query-upscale.ts";
import { joinVideo } from "../segments/join-video.ts";
import { claimSubmit, leaseSegment } from "../segments/queries.ts";
import { workSegments } from "../segments/work-segments.ts";

const credits = 10_000;
const leaseMs = 60_000;
const noLeaseMs = 0;

let bed: VendorUpscaleBed;
beforeAll(async () => {
  bed = await openVendorUpscaleBed();
});
afterEach(async () => {
  await bed.vendor.clearFaults();
  await bed.database.sql("delete from upscales"); // the next test begins with no segment to do
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
});

const injectFault = (fault: string) => bed.vendor.injectFault("fal", fault);

/** Returns the facts that ffprobe reports about the video stream and the audio stream. */
async function streamsOf(path: string) {
  const [video = {}, audio = {}] = await readStreams(path);
  return { video, audio };
}

test("under cn the result of a vendor shows the visible label for two seconds", async () => {
  await using labelling = await openVendorUpscaleBed(chinaPolicy);
  const { taskId } = await labelling.start(labelling.video);
  await labelling.workUntil(taskId, isDone);
  const { media, path } = await labelling.joined(taskId);
  expect(media.labels).toEqual(["visible", "aigc"]);
  const { width, height, margin } = placeLabel(media);
  const corner = `crop=${width}:${height}:iw-${width + margin}:ih-${height + margin},format=gray`;
  const brightnessAt = async (seconds: string) => {
    const frame = ["-v", "error", "-ss", seconds, "-i", path, "-frames:v", "1", "-vf", corner];
    const run = promisify(execFile);
    const options = { encoding: "buffer", maxBuffer: 100_000_000 } as const;
    const { stdout } = await run("ffmpeg", [...frame, "-f", "rawvideo", "-"], options);
    return stdout.reduce((sum, value) => sum + value, 0) / stdout.length;
  };
  const [before, after] = [await brightnessAt("1.95"), await brightnessAt("2.2")];
  expect(Math.abs(before - after)).toBeGreaterThan(10);
});

test("a vendor upscales the video, asked once; the audio is the source's, the price by its seconds", async () => {
  const { account, taskId, jobs } = await bed.start(bed.video);
  const { frames } = await bed.workUntil(taskId, isDone);
  expect(frames).toBe(24 * 2.5);
  expect(await jobs()).toHaveLength(1);
  const { media, path } = await bed.joined(taskId);
  expect(await probeMedia(path)).toMatchObject({
    width: 1920,
    height: 1080,
    durationMs: 2_500,
    videoCodec: "h264",
  });
  expect((await streamsOf(path)).video).toMatchObject({ r_frame_rate: "30/1" });
  expect(await hashAudio(path)).toBe(await hashAudio(bed.video));
  await completeTask(bed.ctx, taskId, media);
  await forgetUpscale(bed.ctx, taskId);
  expect(await queryUpscale(bed.ctx, account, taskId)).toMatchObject({
    status: "completed",
    creditsConsumed: 5 * 3,
    result: { width: 1920, height: 1080, probedDurationSeconds: 2.5 },
  });
});

test("an image that begins after the audio, counted in coarse ticks, keeps its time", async () => {
  const late = await renderFile(join(bed.dir, "late.mp4"), [
    "-f",
    "lavfi",
    "-i",
    "sine=f=440:d=2",
    "-itsoffset",
    "0.5",
    "-f",
    "lavfi",
    "-i",
    "testsrc2=s=320x180:r=10:d=1",
    "-map",
    "1:v",
    "-map",
    "0:a",
    "-fps_mode",
    "passthrough",
    "-video_track_timescale",
    "10",
    "-c:v",
    "libx264",
    "-bf",
    "0",
    "-c:a",
    "aac",
  ]);
  const { taskId } = await bed.start(late);
  await bed.workUntil(taskId, isDone);
  const { path } = await bed.joined(taskId);
  const { video, audio } = await streamsOf(path);
  expect(Number(video["start_time"])).toBeCloseTo(0.5, 1);
  expect(Number(audio["start_time"])).toBeCloseTo(0, 1);
  expect(Number(video["nb_frames"])).toBeGreaterThanOrEqual(29);
  expect(video).toMatchObject({ r_frame_rate: "30/1" });
});

test("a worker that died between asking and noting leaves a video that is given up, never asked for again", async () => {
  const { account, taskId, sourceKey, jobs } = await bed.start();
  const dead = randomUUID();
  await leaseSegment(bed.ctx.db, dead, noLeaseMs);
  expect(await claimSubmit(bed.ctx.db, { taskId, number: 0, worker: dead }, 0)).toBe(true);
  const sourceUrl = `${bed.ctx.config.links.publicUrl}/media/${sourceKey}`;
  const asked = { sourceUrl, target: "1080p", framesPerSecond: 24 } as const;
  const fal = createFal(falSchema.parse(bed.upscaler));
  expect((await fal.submit(asked)).kind).toBe("accepted");
  expect(await bed.workUntil(taskId, isGivenUp)).toMatchObject({
    failureCode: "vendor_unconfirmed",
    failure: expect.stringMatching(/may have accepted the job, which is not submitted again/),
  });
  expect(await jobs()).toHaveLength(1);
  const over = await joinVideo(bed.ctx, taskId);
  expect(over).toEqual({ kind: "failed", code: "vendor_unconfirmed" });
  if (over.kind === "failed") await finishTask(bed.ctx, taskId, over);
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits, availableCredits: credits });
});

test.each(["500", "reset", "garbage", "lost"])(
  "a submit whose answer is lost by %s is given up, never repeated",
  async (fault) => {
    const { taskId, jobs } = await bed.start();
    await injectFault(fault);
    expect(await bed.workUntil(taskId, isGivenUp)).toMatchObject({
      failureCode: "vendor_unconfirmed",
    });
    expect(await jobs()).toHaveLength(1);
  },
);

/** Returns the database with a first claim whose response is lost after the commit. */
function losesClaim(db: Db): Db {
  let claim: object | undefined;
  return db.withPlugin({
    transformQuery({ node, queryId }) {
      if (JSON.stringify(node).includes("submit_started_at") && node.kind === "UpdateQueryNode")
        claim ??= queryId;
      return node;
    },
    async transformResult({ result, queryId }) {
      if (queryId === claim) throw new DatabaseUnavailable("no answer");
      return result;
    },
  });
}

test("a claim whose answer was lost is given back: the vendor is asked, once", async () => {
  const { taskId, jobs } = await bed.start();
  await bed.workUntil(taskId, isAccepted, { ...bed.ctx, db: losesClaim(bed.ctx.db) });
  expect(await jobs()).toHaveLength(1);
});

test("what the vendor refuses fails with its reason and without our link, and is not asked again", async () => {
  const { taskId, sourceKey, jobs } = await bed.start();
  await injectFault("refuse=input_blocked");
  const { failureCode, failure } = await bed.workUntil(taskId, isGivenUp);
  expect(failureCode).toBe("input_blocked");
  expect(failure).toMatch(/^422 content_policy_violation/);
  expect(failure).not.toContain(sourceKey);
  expect(await jobs()).toHaveLength(1);
  expect(await joinVideo(bed.ctx, taskId)).toEqual({ kind: "failed", code: "input_blocked" });
});

test("what the vendor cannot take at the moment is asked again, and is no try", async () => {
  const { taskId, jobs } = await bed.start();
  await injectFault("throttle");
  const stop = new AbortController();
  const working = workSegments(bed.ctx, stop.signal);
  await expect.poll(async () => (await jobs()).length, waitLimits).toBe(1);
  const readRow = async () => {
    const [row] = await bed.database.sql<{ asked: boolean; taken: boolean; tries: number }>(
      `select submit_started_at is not null as asked, leased_by is not null as taken, tries
       from upscale_segments where task_id = $1`,
      [taskId],
    );
    return row;
  };
  await expect.poll(readRow, waitLimits).toEqual({ asked: false, taken: false, tries: 0 });
  await bed.database.sql("update upscale_segments set free_at = now() where task_id = $1", [
    taskId,
  ]);
  await expect.poll(async () => isDone(await bed.readSegment(taskId)), waitLimits).toBe(true);
  stop.abort();
  await working;
  expect(await jobs()).toMatchObject([{ jobId: null }, { jobId: expect.any(String) }]);
});

test("a video that another worker takes over while the vendor works on it is one job of the vendor", async () => {
  const { taskId, jobs } = await bed.start();
  await injectFault("hang");
  const { vendorJobId } = await bed.workUntil(taskId, isAccepted);
  const dead = randomUUID();
  await bed.database.sql("update upscale_segments set free_at = now() where task_id = $1", [
    taskId,
  ]);
  expect(await leaseSegment(bed.ctx.db, dead, noLeaseMs)).toMatchObject({ taskId, vendorJobId });
  await bed.vendor.finish(String(vendorJobId), "succeeded");
  await bed.workUntil(taskId, isDone, bed.openAnother());
  expect(await jobs()).toHaveLength(1);
});

test("of two workers at once one asks", async () => {
  const tasks = await Promise.all([bed.start(), bed.start(), bed.start()]);
  for (const _ of tasks) await injectFault("badvideo");
  const stop = new AbortController();
  const working = [bed.ctx, bed.openAnother()].map((ctx) => workSegments(ctx, stop.signal));
  for (const { taskId } of tasks) {
    const isOver = async () => isGivenUp(await bed.readSegment(taskId));
    await expect.poll(isOver, waitLimits).toBe(true);
  }
  stop.abort();
  await Promise.all(working);
  for (const { jobs } of tasks) expect(await jobs()).toHaveLength(1);
});

test.each([
  ["fail=input_unusable", "input_unusable", /unsupported_video_format/],
  ["fail=runner_disconnected", "vendor_failed", /runner_disconnected/],
  ["badvideo", "output_unusable", /not a video/],
  ["deadlink", "output_unusable", /answered 403/],
  ["wrong-length", "output_unusable", /lasts 1\d\d\d ms instead of 2500/],
])("a job that ends with %s fails the video: %s", async (fault, failureCode, reason) => {
  const { taskId } = await bed.start(bed.video);
  await injectFault(fault);
  const segment = await bed.workUntil(taskId, isGivenUp);
  expect(segment).toMatchObject({ failureCode, failure: expect.stringMatching(reason) });
});

test("a link that does not work is tried again, up to a limit", async () => {
  const { taskId, jobs } = await bed.start();
  await injectFault("brokenlink");
  await bed.workUntil(taskId, isAccepted);
  await bed.database.sql("update upscale_segments set tries = 4 where task_id = $1", [taskId]);
  expect(await bed.workUntil(taskId, isGivenUp)).toMatchObject({
    failureCode: "task_broken",
    failure: expect.stringMatching(/download answered 500/),
  });
  expect(await jobs()).toHaveLength(1);
});

test("a job that the vendor forgot is given up, but not at once after it was accepted", async () => {
  const { taskId } = await bed.start();
  await injectFault("hang");
  const { vendorJobId } = await bed.workUntil(taskId, isAccepted);
  await bed.vendor.finish(String(vendorJobId), "expired");
  const freed = "update upscale_segments set free_at = now() where task_id = $1";
  await bed.database.sql(freed, [taskId]);
  const worker = randomUUID();
  const segment = await leaseSegment(bed.ctx.db, worker, leaseMs);
  assert(segment !== undefined && bed.ctx.vendorUpscaler !== null);
  const unused = {
    claimSubmit: () => assert.fail("asked"),
    recordSubmit: () => assert.fail("noted"),
  };
  const signal = AbortSignal.timeout(20_000);
  const seen = (submittedMsAgo: number) =>
    bed.ctx.vendorUpscaler?.work(
      { ...segment, submittedMsAgo },
      { dir: bed.dir, signal, onFrames: () => {}, ...unused },
    );
  expect(await seen(10_000)).toEqual({ kind: "waiting", againMs: 2_500, framesDone: 0 });
  expect(await seen(61_000)).toMatchObject({ kind: "failed", code: "vendor_failed" });
});

test("the vendor's job is cancelled when the task is over", async () => {
  const { taskId } = await bed.start();
  await injectFault("hang");
  const { vendorJobId } = await bed.workUntil(taskId, isAccepted);
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "task_expired" });
  await sweepUpscales(bed.ctx);
  const statusAtVendor = async () =>
    (await bed.vendor.listJobs()).find(({ id }) => id === vendorJobId)?.status;
  await expect.poll(statusAtVendor, waitLimits).toBe("cancelled");
});

test("a test key never reaches the vendor", async () => {
  const owner = await bed.openAccount({ credits });
  const { accountId } = await createTestAccount(bed.ctx, owner.id);
  const { keyId, key } = await createKey(bed.ctx.db, { accountId, name: "test", mode: "test" });
  await grantCredits(bed.ctx.pool, { accountId, credits, note: "test" });
  const { taskId, jobs } = await bed.start(bed.brief, { ...owner, id: accountId, keyId, key });
  await bed.workUntil(taskId, isDone);
  expect(await jobs()).toEqual([]);
  expect((await bed.joined(taskId)).media).toMatchObject({ width: 1920, height: 1080 });
});

test("what was meant for a vendor that is no longer set is done here", async () => {
  const { taskId, jobs } = await bed.start();
  const without = { ...bed.ctx, vendorUpscaler: null };
  await bed.workUntil(taskId, isDone, without);
  expect(await jobs()).toEqual([]);
  const { path } = await bed.joined(taskId, without);
  expect((await streamsOf(path)).video).toMatchObject({ r_frame_rate: "5/1" });
});
