import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collectChanges } from "../../test/harness/collect-changes.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { TaskId } from "../ids.ts";
import { measureFile } from "../media/storage/fetch-object.ts";
import { createUpscale } from "./create-upscale.ts";
import { listSegments } from "./segments/queries.ts";
import { workSegments } from "./segments/work-segments.ts";
import type { Upscaler } from "./upscalers/upscaler.ts";
import { validateSource } from "./validate-source.ts";

let scratch: Scratch;
let videos: FileServer;
let bed: TestBed;
let announcements: Awaited<ReturnType<typeof collectChanges>>;
beforeAll(async () => {
  scratch = await makeScratch("announced");
  videos = await serveFiles({ dir: scratch.path });
  bed = await openTestBed({
    UPSCALE_PRESET: "slow",
    WORK_DIR: `${scratch.path}/work`,
  });
  announcements = await collectChanges(bed.database.ownerUrl);
});
afterAll(async () => {
  await announcements[Symbol.asyncDispose]();
  await bed[Symbol.asyncDispose]();
  await videos[Symbol.asyncDispose]();
  await scratch.remove();
});

async function started(path: string, targetResolution: "1080p" | "4k") {
  await bed.database.sql("delete from upscales"); // no other segment to do
  const account = await bed.openAccount();
  const source = { type: "url", url: videos.urlOf(path) } as const;
  const { taskId } = await createUpscale(bed.ctx, account, { source, targetResolution }, null);
  expect(await validateSource(bed.ctx, taskId)).toEqual({ kind: "settled" });
  return { taskId };
}

/** Works until the task is announced. */
async function work(taskId: TaskId, ctx = bed.ctx): Promise<void> {
  const stop = new AbortController();
  const working = workSegments(ctx, stop.signal);
  await announcements.announced(taskId, 60_000);
  stop.abort();
  await working;
}

test("that an upscale is at work is announced, and how far it is while a segment is being made", async () => {
  const path = await renderFile(
    join(scratch.path, "long.mp4"),
    pattern({ size: "320x180", rate: 60, seconds: 6 }),
  );
  const { taskId } = await started(path, "4k");
  await announcements.announced(taskId);
  await work(taskId);
  const segments = await listSegments(bed.ctx.db, taskId);
  expect(segments.map(({ objectKey }) => objectKey)).toEqual(segments.map(() => null));
  expect(Math.max(...segments.map(({ framesDone }) => framesDone))).toBeGreaterThan(0);
});

/** Done before any progress is reported. */
const atOnce: Upscaler["work"] = async (_request, { dir }) => {
  const path = join(dir, "segment.mp4");
  await writeFile(path, "a video");
  return { kind: "done", path, ...(await measureFile(path)) };
};

test("that a segment is done is announced", async () => {
  const path = await renderFile(
    join(scratch.path, "one.mp4"),
    pattern({ size: "320x180", rate: 10, seconds: 1 }),
  );
  const { taskId } = await started(path, "1080p");
  await announcements.announced(taskId);
  await work(taskId, { ...bed.ctx, upscaler: { ...bed.ctx.upscaler, work: atOnce } });
  const [segment] = await listSegments(bed.ctx.db, taskId);
  expect(segment?.objectKey).not.toBeNull();
});
