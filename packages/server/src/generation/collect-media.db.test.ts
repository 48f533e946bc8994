import { createHash, randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { claimOf } from "../../test/harness/claim-of.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { Caller } from "../accounts/queries.ts";
import { readBalance } from "../credits/ledger.ts";
import { permitWaitMsMax } from "../engine/durable.ts";
import type { TaskId } from "../ids.ts";
import { readAigc } from "../labels/read-aigc.ts";
import { fetchObject } from "../media/storage/fetch-object.ts";
import { completeTask } from "../tasks/complete-task.ts";
import { findOpenTask } from "../tasks/open-task-queries.ts";
import { saveEnds } from "../tasks/queries.ts";
import { bindJob, claimSubmit } from "../tasks/submit-queries.ts";
import { listSegments } from "../upscale/segments/queries.ts";
import { collectMedia } from "./collect-media.ts";
import { createTask } from "./create-task.ts";
import { pollJob } from "./poll/poll-job.ts";
import { queryTask } from "./query-task.ts";

let scratch: Scratch;
let videos: FileServer;
let bed: TestBed;
beforeAll(async () => {
  scratch = await makeScratch("collect");
  videos = await serveFiles({ dir: scratch.path });
  bed = await openTestBed();
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
  await videos[Symbol.asyncDispose]();
  await scratch.remove();
});

/** A task of 1080p whose vendor has delivered a video of this size. */
async function delivered(
  size: string,
  upscaleResolution?: string,
  caller?: Caller,
): Promise<TaskId> {
  const path = await renderFile(
    join(scratch.path, `${size}.mp4`),
    pattern({ size, rate: 2, seconds: 2 }),
  );
  return deliveredFile(path, upscaleResolution, caller);
}

async function deliveredFile(
  path: string,
  upscaleResolution?: string,
  caller?: Caller,
): Promise<TaskId> {
  const account = caller ?? (await bed.openAccount());
  const inputs = { prompt: "a fox", outputResolution: "1080p", upscaleResolution };
  const { taskId } = await createTask(bed.ctx, account, { model: "sd2", inputs }, null);
  await claimSubmit(bed.ctx.pool, claimOf(taskId));
  await bindJob(bed.ctx.pool, { taskId, jobId: randomUUID(), pollMs: 60_000 });
  const end = { taskId, resultUrl: videos.urlOf(path), failureCode: null, detail: null };
  await saveEnds(bed.ctx.pool, [end]);
  return taskId;
}

const countObjects = async () => (await bed.database.sql("select key from media_objects")).length;

test("without upscaleResolution the vendor's video is what is delivered", async () => {
  const taskId = await delivered("192x108");
  expect(await collectMedia(bed.ctx, taskId)).toMatchObject({
    kind: "delivered",
    media: { width: 192, height: 108, durationMs: 2_000, poster: { key: expect.any(String) } },
  });
});

test("a video of the usual form is measured as it arrives, another one by ffprobe, and both are delivered alike", async () => {
  const usual = await renderFile(
    join(scratch.path, "usual.mp4"),
    pattern({ size: "192x108", rate: 24, seconds: 3 }),
  );
  const whole = await readFile(usual);
  const turned = Buffer.from(whole);
  const matrix = turned.indexOf("tkhd") + 44;
  for (const [cell, value] of [0, 0x10000, 0, -0x10000, 0].entries())
    turned.writeInt32BE(value, matrix + 4 * cell);
  const unusual = join(scratch.path, "unusual.mp4");
  await writeFile(unusual, turned);
  const added = vi.spyOn(bed.ctx.metrics.outputsMeasured, "add");
  const facts = { durationMs: 3_000, contentType: "video/mp4", labels: ["aigc"] };
  expect(await collectMedia(bed.ctx, await deliveredFile(usual))).toMatchObject({
    media: { ...facts, width: 192, height: 108, poster: { key: expect.any(String) } },
  });
  expect(added.mock.calls).toEqual([[{ outcome: "measured" }]]);
  expect(await collectMedia(bed.ctx, await deliveredFile(unusual))).toMatchObject({
    media: { ...facts, width: 108, height: 192, poster: { key: expect.any(String) } },
  });
  expect(added.mock.calls).toEqual([[{ outcome: "measured" }], [{ outcome: "unusual" }]]);
  added.mockRestore();
});

test.each([
  ["plain", []],
  ["fragmented", ["-movflags", "frag_keyframe+empty_moov"]],
])(
  "a %s video is stored with a label that names the producer and the task, and its record is of the stored bytes",
  async (name, options) => {
    const path = await renderFile(join(scratch.path, `${name}.mp4`), [
      ...pattern({ size: "192x108", rate: 24, seconds: 3 }),
      ...options,
    ]);
    const taskId = await deliveredFile(path);
    const collected = await collectMedia(bed.ctx, taskId);
    if (collected.kind !== "delivered") throw new Error(collected.kind);
    const { media } = collected;
    const stored = join(scratch.path, "stored.mp4");
    await fetchObject(bed.ctx.storage, media.key, stored);
    const bytes = await readFile(stored);
    expect(media).toMatchObject({
      labels: ["aigc"],
      sizeBytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
    const label = { Label: "1", ContentProducer: "Zoetrope", ProduceID: taskId };
    expect(JSON.parse((await readAigc(stored, "video/mp4")) ?? "")).toMatchObject(label);
    await fetchObject(bed.ctx.storage, media.poster?.key ?? "", stored);
    expect(await readFile(stored, "utf8")).toContain(taskId);
  },
);

test("a deployment that labels nothing stores the vendor's bytes", async () => {
  await using unlabelled = await openTestBed({ LABELS: "none" });
  const path = join(scratch.path, "192x108.mp4");
  const taskId = await delivered("192x108");
  const collected = await collectMedia({ ...bed.ctx, config: unlabelled.ctx.config }, taskId);
  const sha256 = createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
  expect(collected).toMatchObject({ media: { sha256, labels: [] } });
});

test("what is cut off on its way or no video fails its task, also where its index came first", async () => {
  const first = [...pattern({ size: "192x108", rate: 24, seconds: 3 }), "-movflags", "+faststart"];
  const whole = await readFile(await renderFile(join(scratch.path, "first.mp4"), first));
  const cut = join(scratch.path, "cut.mp4");
  for (const bytes of [whole.subarray(0, -2_000), Buffer.from("<html>gone</html>")]) {
    await writeFile(cut, bytes);
    expect(await collectMedia(bed.ctx, await deliveredFile(cut))).toEqual({
      kind: "failed",
      code: "output_unusable",
    });
  }
});

test("an attempt that nobody waits for any more leaves the line at once", async () => {
  const taskId = await delivered("192x108");
  const inside = Array.from({ length: 64 }, (_, n) => ({
    owner: `other ${n}`,
    signal: AbortSignal.timeout(50),
  }));
  const taken = await Promise.allSettled(inside.map((entry) => bed.ctx.collects.take(entry)));
  const over = new AbortController();
  const startedAt = performance.now();
  const attempt = collectMedia(bed.ctx, taskId, over.signal);
  over.abort();
  await expect(attempt).rejects.toThrow("no permit");
  expect(performance.now() - startedAt).toBeLessThan(permitWaitMsMax / 2);
  for (const permit of taken) if (permit.status === "fulfilled") permit.value();
  expect(await collectMedia(bed.ctx, taskId)).toMatchObject({ kind: "delivered" });
});

test("with it the video is cut into segments, and from then on the upscaler is polled, not the vendor", async () => {
  const taskId = await delivered("192x108", "2k");
  const before = await countObjects();
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "succeeded" });
  expect(await collectMedia(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "upscaling" });
  const segments = await listSegments(bed.ctx.db, taskId);
  expect(segments.reduce((sum, { frames }) => sum + frames, 0)).toBe(4);
  // A step may run twice, at once or again: it stays one source and one set of segments.
  await Promise.all([collectMedia(bed.ctx, taskId), collectMedia(bed.ctx, taskId)]);
  expect(await listSegments(bed.ctx.db, taskId)).toEqual(segments);
  expect(await countObjects()).toBe(before + 1);
  expect(await findOpenTask(bed.ctx.db, taskId)).toMatchObject({ vendorAccount: "upscaler" });
});

test("a video that came out as large as its upscale, as a square one of 1080p does for 2k, is delivered as it is, and its upscale is not charged", async () => {
  const limits = { creditsMax: 100 };
  const account = await bed.openAccount({ credits: 1_000, limits });
  const taskId = await delivered("1440x1440", "2k", account);
  expect(await readBalance(bed.ctx.db, account.id)).toMatchObject({ availableCredits: 900 });
  const [got, again] = [
    await collectMedia(bed.ctx, taskId),
    await collectMedia(bed.ctx, taskId), // a step may run twice
  ];
  expect(got).toMatchObject({ kind: "delivered", media: { width: 1440, height: 1440 } });
  expect(again).toMatchObject({ kind: "delivered" });
  expect(await listSegments(bed.ctx.db, taskId)).toEqual([]);
  if (got.kind !== "delivered") throw new Error("unreachable");
  await completeTask(bed.ctx, taskId, got.media);
  const end = await queryTask(bed.ctx, account, taskId);
  expect(end).toMatchObject({
    status: "COMPLETED",
    creditsUsed: 75,
    notes: [{ param: "inputs.upscaleResolution", message: expect.stringContaining("1440x1440") }],
  });
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({
    credits: 925,
    availableCredits: 925,
  });
  const [key] = await bed.database.sql("select credits_used from api_keys where id = $1", [
    account.keyId,
  ]);
  expect(key).toMatchObject({ credits_used: "75" });
});
