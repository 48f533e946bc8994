import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { makeScratch, type Scratch } from "@zoetrope/dev/services/scratch.ts";
import { afterAll, afterEach, assert, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { type FilmServer, pattern, startFilmServer } from "../../test/harness/film-server.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { type SandboxProcess, startSandboxProcess } from "../../test/vendors/sandbox-process.ts";
import { createKey } from "../accounts/create-key.ts";
import { createTestAccount } from "../accounts/create-test-account.ts";
import type { Context } from "../context.ts";
import { grantCredits, readBalance } from "../credits/ledger.ts";
import { buildApi } from "../http/build-api.ts";
import { fetchObject } from "../media/fetch-object.ts";
import { probeMedia } from "../media/probe.ts";
import { completeTask } from "../tasks/complete-task.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { createFal, falSchema } from "../vendors/fal/fal.ts";
import { createUpscale } from "./create-upscale.ts";
import { forgetUpscale, sweepUpscales } from "./forget-upscale.ts";
import { joinFilm } from "./join-film.ts";
import { claimAsk, findUpscale, listPieces, takePiece } from "./queries.ts";
import { queryUpscale } from "./query-upscale.ts";
import { validateSource } from "./validate-source.ts";
import { workPieces } from "./work-pieces.ts";

const run = promisify(execFile);
const credits = 10_000;
const leaseMs = 60_000;
const noLeaseMs = 0;

const cleanUp = new AsyncDisposableStack();
let scratch: Scratch;
let films: FilmServer;
let sandbox: SandboxProcess;
let bed: TestBed;
let film: string;
let brief: string;
beforeAll(async () => {
  scratch = await makeScratch("vendor-upscale");
  cleanUp.defer(() => scratch.remove());
  films = cleanUp.use(await startFilmServer(scratch.path));
  film = await films.render("film.mp4", pattern({ size: "320x180", rate: 24, seconds: 2.5 }));
  brief = await films.render("brief.mp4", pattern({ size: "320x180", rate: 5, seconds: 1 }));
  sandbox = cleanUp.use(await startSandboxProcess({ queuedMs: 20, runningMs: 20 }));
  const port = await freePort();
  bed = cleanUp.use(
    await openTestBed({
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      UPSCALER: JSON.stringify(upscaler()),
      UPSCALE_PRESET: "ultrafast",
      PIECE_INTERVAL_MS: "50",
    }),
  );
  const api = await buildApi(bed.ctx); // the vendor fetches the sources from it
  cleanUp.defer(() => api.close());
  await api.listen({ host: "127.0.0.1", port });
});
afterEach(async () => {
  await fetch(`${sandbox.url}/_sandbox/faults`, { method: "DELETE" });
  await bed.database.sql("delete from upscales"); // the next test begins with no piece to do
});
afterAll(async () => {
  await checkMoney(bed.database);
  await cleanUp.disposeAsync();
});

function upscaler() {
  return { kind: "fal", baseUrl: `${sandbox.url}/fal`, apiKey: "sandbox-fal-key" };
}

async function order(fault: string): Promise<void> {
  const response = await fetch(`${sandbox.url}/_sandbox/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ fault, vendor: "fal" }),
  });
  assert(response.ok, await response.text());
}

async function start(path = film, account?: Awaited<ReturnType<TestBed["openAccount"]>>) {
  const caller = account ?? (await bed.openAccount({ credits }));
  const body = {
    source: { type: "url", url: films.urlOf(path) },
    targetResolution: "1080p",
  } as const;
  const { taskId } = await createUpscale(bed.ctx, caller, body, null);
  expect(await validateSource(bed.ctx, taskId)).toEqual({ kind: "settled" });
  const upscale = await findUpscale(bed.ctx.db, taskId);
  assert(upscale !== undefined);
  /** The jobs that the vendor was asked for, from its own journal. */
  const jobs = () => sandbox.creates(upscale.sourceKey);
  return { account: caller, taskId, sourceKey: upscale.sourceKey, jobs };
}

type PieceState = Awaited<ReturnType<typeof listPieces>>[number] & { vendorJobId: string | null };

async function readPiece(taskId: string): Promise<PieceState> {
  const [piece, ...others] = await listPieces(bed.ctx.db, taskId);
  assert(piece !== undefined && others.length === 0, "the film is one piece");
  const [row] = await bed.database.sql<{ id: string | null }>(
    "select vendor_job_id as id from upscale_pieces where task_id = $1",
    [taskId],
  );
  return { ...piece, vendorJobId: row?.id ?? null };
}

/** Works until the piece looks like this. */
async function workUntil(
  taskId: string,
  isReached: (piece: PieceState) => boolean,
  ctx: Context = bed.ctx,
): Promise<PieceState> {
  const stop = new AbortController();
  const working = workPieces(ctx, stop.signal);
  try {
    const reached = async () => isReached(await readPiece(taskId));
    await expect.poll(reached, { timeout: 180_000, interval: 50 }).toBe(true);
  } finally {
    stop.abort();
    await working;
  }
  return readPiece(taskId);
}

const isDone = ({ objectKey }: PieceState) => objectKey !== null;
const isGivenUp = ({ failure }: PieceState) => failure !== null;
const isAccepted = ({ vendorJobId }: PieceState) => vendorJobId !== null;

async function joined(taskId: string, ctx: Context = bed.ctx) {
  const result = await joinFilm(ctx, taskId);
  assert(result.kind === "delivered", JSON.stringify(result));
  const path = join(scratch.path, `${randomUUID()}.mp4`);
  await fetchObject(ctx.storage, result.media.key, path);
  return { media: result.media, path };
}

async function ffprobe(path: string, stream: string, entry: string): Promise<string> {
  const what = ["-select_streams", stream, "-show_entries", entry, "-of", "csv=p=0"];
  const { stdout } = await run("ffprobe", ["-v", "error", ...what, path]);
  return stdout.split("\n")[0]?.replace(/,$/, "") ?? "";
}

/** The packets of the sound, as they are in the file. */
async function soundOf(path: string): Promise<string> {
  const { stdout } = await run("ffmpeg", [
    ...["-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "streamhash", "-"],
  ]);
  return stdout;
}

test("a vendor makes the film larger, asked once; the sound is the source's, the price by its seconds", async () => {
  const { account, taskId, jobs } = await start();
  const { frames } = await workUntil(taskId, isDone);
  expect(frames).toBe(24 * 2.5);
  expect(await jobs()).toHaveLength(1);
  const { media, path } = await joined(taskId);
  expect(await probeMedia(path)).toMatchObject({
    width: 1920,
    height: 1080,
    durationMs: 2_500,
    videoCodec: "h264",
  });
  expect(await ffprobe(path, "v", "stream=r_frame_rate")).toBe("30/1");
  expect(await soundOf(path)).toBe(await soundOf(film));
  await completeTask(bed.ctx, taskId, media);
  await forgetUpscale(bed.ctx, taskId);
  expect(await queryUpscale(bed.ctx, account, taskId)).toMatchObject({
    status: "completed",
    creditsConsumed: 5 * 3,
    result: { width: 1920, height: 1080, probedDurationSeconds: 2.5 },
  });
});

test("a picture that begins after the sound, counted in coarse ticks, keeps its time", async () => {
  const late = await films.render("late.mp4", [
    ...["-f", "lavfi", "-i", "sine=f=440:d=4", "-itsoffset", "0.5"],
    ...["-f", "lavfi", "-i", "testsrc2=s=320x180:r=10:d=3", "-map", "1:v", "-map", "0:a"],
    ...["-fps_mode", "passthrough", "-video_track_timescale", "10"],
    ...["-c:v", "libx264", "-bf", "0", "-c:a", "aac"],
  ]);
  const { taskId } = await start(late);
  await workUntil(taskId, isDone);
  const { path } = await joined(taskId);
  expect(Number(await ffprobe(path, "v", "stream=start_time"))).toBeCloseTo(0.5, 1);
  expect(Number(await ffprobe(path, "a", "stream=start_time"))).toBeCloseTo(0, 1);
  expect(Number(await ffprobe(path, "v", "stream=nb_frames"))).toBeGreaterThanOrEqual(89);
  expect(await ffprobe(path, "v", "stream=r_frame_rate")).toBe("30/1");
});

test("a worker that died between asking and noting leaves a film that is given up, never asked for again", async () => {
  const { account, taskId, sourceKey, jobs } = await start();
  const dead = randomUUID();
  await takePiece(bed.ctx.db, dead, noLeaseMs);
  expect(await claimAsk(bed.ctx.db, { taskId, number: 0, worker: dead })).toBe(true);
  const sourceUrl = `${bed.ctx.config.PUBLIC_URL}/media/${sourceKey}`;
  const asked = { sourceUrl, target: "1080p", framesPerSecond: 24 } as const;
  const fal = createFal(falSchema.parse(upscaler()));
  expect((await fal.submit(asked)).kind).toBe("accepted");
  expect(await workUntil(taskId, isGivenUp)).toMatchObject({
    failureCode: "vendor_unconfirmed",
    failure: expect.stringMatching(/may be at work on it and is not asked again/),
  });
  expect(await jobs()).toHaveLength(1);
  const over = await joinFilm(bed.ctx, taskId);
  expect(over).toEqual({ kind: "failed", code: "vendor_unconfirmed" });
  if (over.kind === "failed") await finishTask(bed.ctx, taskId, over);
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits, availableCredits: credits });
});

test.each(["500", "reset", "garbage", "lost"])(
  "a submit whose answer is lost by %s is given up, never repeated",
  async (fault) => {
    const { taskId, jobs } = await start();
    await order(fault);
    expect(await workUntil(taskId, isGivenUp)).toMatchObject({ failureCode: "vendor_unconfirmed" });
    expect(await jobs()).toHaveLength(1);
  },
);

test("what the vendor refuses fails with its reason and without our link, and is not asked again", async () => {
  const { taskId, sourceKey, jobs } = await start();
  await order("refuse=input_blocked");
  const { failureCode, failure } = await workUntil(taskId, isGivenUp);
  expect(failureCode).toBe("input_blocked");
  expect(failure).toMatch(/^422 content_policy_violation/);
  expect(failure).not.toContain(sourceKey);
  expect(await jobs()).toHaveLength(1);
  expect(await joinFilm(bed.ctx, taskId)).toEqual({ kind: "failed", code: "input_blocked" });
});

test("what the vendor cannot take at the moment is asked again, and is no try", async () => {
  const { taskId, jobs } = await start(brief);
  await order("throttle");
  const stop = new AbortController();
  const working = workPieces(bed.ctx, stop.signal);
  await expect.poll(async () => (await jobs()).length, { timeout: 180_000 }).toBe(1);
  const readRow = async () => {
    const [row] = await bed.database.sql<{ asked: boolean; taken: boolean; tries: number }>(
      `select asked_at is not null as asked, taken_by is not null as taken, tries
       from upscale_pieces where task_id = $1`,
      [taskId],
    );
    return row;
  };
  await expect.poll(readRow).toEqual({ asked: false, taken: false, tries: 0 });
  await bed.database.sql("update upscale_pieces set free_at = now() where task_id = $1", [taskId]);
  await expect.poll(async () => isDone(await readPiece(taskId)), { timeout: 180_000 }).toBe(true);
  stop.abort();
  await working;
  expect(await jobs()).toMatchObject([{ jobId: null }, { jobId: expect.any(String) }]);
});

test("a film that another worker takes over while the vendor works on it is one job of the vendor", async () => {
  const { taskId, jobs } = await start(brief);
  await order("hang");
  const { vendorJobId } = await workUntil(taskId, isAccepted);
  const dead = randomUUID();
  await bed.database.sql("update upscale_pieces set free_at = now() where task_id = $1", [taskId]);
  expect(await takePiece(bed.ctx.db, dead, noLeaseMs)).toMatchObject({ taskId, vendorJobId });
  const finished = await fetch(`${sandbox.url}/_sandbox/jobs/${vendorJobId}/finish`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ status: "succeeded" }),
  });
  expect(finished.status).toBe(200);
  await workUntil(taskId, isDone, bed.openAnother());
  expect(await jobs()).toHaveLength(1);
});

test("of two workers at once one asks", async () => {
  const tasks = await Promise.all([start(), start(), start()]);
  for (const _ of tasks) await order("badfilm");
  const stop = new AbortController();
  const working = [bed.ctx, bed.openAnother()].map((ctx) => workPieces(ctx, stop.signal));
  for (const { taskId } of tasks) {
    const isOver = async () => isGivenUp(await readPiece(taskId));
    await expect.poll(isOver, { timeout: 180_000 }).toBe(true);
  }
  stop.abort();
  await Promise.all(working);
  for (const { jobs } of tasks) expect(await jobs()).toHaveLength(1);
});

test.each([
  ["fail=input_unusable", "input_unusable", /unsupported_video_format/],
  ["fail=runner_disconnected", "vendor_failed", /runner_disconnected/],
  ["badfilm", "output_unusable", /no film/],
  ["deadlink", "output_unusable", /answered 403/],
  ["wrong-length", "output_unusable", /lasts 1\d\d\d ms instead of 2500/],
])("a job that ends with %s fails the film: %s", async (fault, failureCode, reason) => {
  const { taskId } = await start();
  await order(fault);
  const piece = await workUntil(taskId, isGivenUp);
  expect(piece).toMatchObject({ failureCode, failure: expect.stringMatching(reason) });
});

test("a link that does not work is tried again, up to a limit", async () => {
  const { taskId, jobs } = await start();
  await order("brokenlink");
  await workUntil(taskId, isAccepted);
  await bed.database.sql("update upscale_pieces set tries = 4 where task_id = $1", [taskId]);
  expect(await workUntil(taskId, isGivenUp)).toMatchObject({
    failureCode: "task_broken",
    failure: expect.stringMatching(/download answered 500/),
  });
  expect(await jobs()).toHaveLength(1);
});

test("a job that the vendor forgot is given up, but not at once after it was accepted", async () => {
  const { taskId } = await start();
  await order("hang");
  const { vendorJobId } = await workUntil(taskId, isAccepted);
  await fetch(`${sandbox.url}/_sandbox/jobs/${vendorJobId}/finish`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ status: "expired" }),
  });
  const freed = "update upscale_pieces set free_at = now() where task_id = $1";
  await bed.database.sql(freed, [taskId]);
  const worker = randomUUID();
  const piece = await takePiece(bed.ctx.db, worker, leaseMs);
  assert(piece !== undefined && bed.ctx.vendorUpscaler !== null);
  const unused = { claimAsk: () => assert.fail("asked"), noteAsk: () => assert.fail("noted") };
  const signal = AbortSignal.timeout(20_000);
  const seen = (askedMsAgo: number) =>
    bed.ctx.vendorUpscaler?.work(
      { ...piece, askedMsAgo },
      { dir: scratch.path, signal, onFrames: () => {}, ...unused },
    );
  expect(await seen(10_000)).toEqual({ kind: "waiting", againMs: 2_500, framesDone: 0 });
  expect(await seen(61_000)).toMatchObject({ kind: "failed", code: "vendor_failed" });
});

test("the vendor's job is cancelled when the task is over", async () => {
  const { taskId } = await start();
  await order("hang");
  const { vendorJobId } = await workUntil(taskId, isAccepted);
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "task_expired" });
  await sweepUpscales(bed.ctx);
  const statusAtVendor = async () => {
    const response = await fetch(`${sandbox.url}/_sandbox/jobs?limit=1000`);
    const { jobs } = (await response.json()) as { jobs: { id: string; status: string }[] };
    return jobs.find(({ id }) => id === vendorJobId)?.status;
  };
  await expect.poll(statusAtVendor, { timeout: 180_000 }).toBe("cancelled");
});

test("a test key never reaches the vendor", async () => {
  const owner = await bed.openAccount({ credits });
  const { accountId } = await createTestAccount(bed.ctx.db, owner.id);
  const { keyId, key } = await createKey(bed.ctx.db, { accountId, name: "test", mode: "test" });
  await grantCredits(bed.ctx.pool, { accountId, credits, note: "test" });
  const { taskId, jobs } = await start(brief, { ...owner, id: accountId, keyId, key });
  await workUntil(taskId, isDone);
  expect(await jobs()).toEqual([]);
  expect((await joined(taskId)).media).toMatchObject({ width: 1920, height: 1080 });
});

test("what was meant for a vendor that is no longer set is done here", async () => {
  const { taskId, jobs } = await start(brief);
  const without = { ...bed.ctx, vendorUpscaler: null };
  await workUntil(taskId, isDone, without);
  expect(await jobs()).toEqual([]);
  const { path } = await joined(taskId, without);
  expect(await ffprobe(path, "v", "stream=r_frame_rate")).toBe("5/1");
});
