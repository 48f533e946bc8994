import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch, type Scratch } from "@zoetrope/dev/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FilmServer, pattern, startFilmServer } from "../../test/harness/film-server.ts";
import { hearChanges } from "../../test/harness/hear-changes.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { measureFile } from "../media/fetch-object.ts";
import { createUpscale } from "./create-upscale.ts";
import { listPieces } from "./queries.ts";
import type { Upscaler } from "./upscaler.ts";
import { validateSource } from "./validate-source.ts";
import { workPieces } from "./work-pieces.ts";

let scratch: Scratch;
let films: FilmServer;
let bed: TestBed;
let ears: Awaited<ReturnType<typeof hearChanges>>;
beforeAll(async () => {
  scratch = await makeScratch("announced");
  films = await startFilmServer(scratch.path);
  bed = await openTestBed({
    UPSCALE_PRESET: "slow",
    WORK_DIR: `${scratch.path}/work`,
  });
  ears = await hearChanges(bed.database.ownerUrl);
});
afterAll(async () => {
  await ears[Symbol.asyncDispose]();
  await bed[Symbol.asyncDispose]();
  await films[Symbol.asyncDispose]();
  await scratch.remove();
});

async function started(path: string, targetResolution: "1080p" | "4k") {
  await bed.database.sql("delete from upscales"); // no other piece to do
  const account = await bed.openAccount();
  const source = { type: "url", url: films.urlOf(path) } as const;
  const { taskId } = await createUpscale(bed.ctx, account, { source, targetResolution }, null);
  expect(await validateSource(bed.ctx, taskId)).toEqual({ kind: "settled" });
  return { taskId };
}

/** Works until the task is announced. */
async function work(taskId: string, ctx = bed.ctx): Promise<void> {
  const stop = new AbortController();
  const working = workPieces(ctx, stop.signal);
  await ears.heard(taskId, 60_000);
  stop.abort();
  await working;
}

test("that an upscale is at work is announced, and how far it is while a piece is being made", async () => {
  const path = await films.render("long.mp4", pattern({ size: "320x180", rate: 60, seconds: 6 }));
  const { taskId } = await started(path, "4k");
  await ears.heard(taskId);
  await work(taskId);
  const pieces = await listPieces(bed.ctx.db, taskId);
  expect(pieces.map(({ objectKey }) => objectKey)).toEqual(pieces.map(() => null));
  expect(Math.max(...pieces.map(({ framesDone }) => framesDone))).toBeGreaterThan(0);
});

/** Done before anybody could say how far it is. */
const atOnce: Upscaler["work"] = async (_order, { dir }) => {
  const path = join(dir, "piece.mp4");
  await writeFile(path, "a film");
  return { kind: "done", path, ...(await measureFile(path)) };
};

test("that a piece is done is announced", async () => {
  const path = await films.render("one.mp4", pattern({ size: "320x180", rate: 10, seconds: 1 }));
  const { taskId } = await started(path, "1080p");
  await ears.heard(taskId);
  await work(taskId, { ...bed.ctx, upscaler: { ...bed.ctx.upscaler, work: atOnce } });
  const [piece] = await listPieces(bed.ctx.db, taskId);
  expect(piece?.objectKey).not.toBeNull();
});
