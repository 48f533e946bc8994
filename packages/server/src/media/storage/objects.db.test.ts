import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { createTask } from "../../generation/create-task.ts";
import { deleteMedia } from "../../generation/delete-media.ts";
import { queryTask } from "../../generation/query-task.ts";
import { completeTask } from "../../tasks/complete-task.ts";
import { collectObjects, keepObject, storeFile } from "./objects.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

const bytes = Buffer.from("the bytes of a video");
const facts = {
  contentType: "video/mp4",
  sizeBytes: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex"),
};

async function stored(): Promise<string> {
  await using scratch = await makeScratch("object");
  const path = join(scratch.path, "video");
  await writeFile(path, bytes);
  return await storeFile(bed.ctx, path, "mp4", facts);
}

const isThere = async (key: string) => (await bed.ctx.storage.locate(key)) !== null;
const pass = (days: number) =>
  bed.database.sql("update media_objects set expires_at = expires_at - $1 * interval '1 day'", [
    days,
  ]);

async function completed() {
  const account = await bed.openAccount();
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const key = await stored();
  const media = { key, ...facts, width: 2, height: 2, durationMs: 1_000 };
  await completeTask(bed.ctx, taskId, media);
  return { account, taskId, key };
}

test("what nobody claims is collected after a day, and not before", async () => {
  const key = await stored();
  await collectObjects(bed.ctx, 100);
  expect(await isThere(key)).toBe(true);
  await pass(1);
  expect(await collectObjects(bed.ctx, 100)).toBe(1);
  expect(await isThere(key)).toBe(false);
});

test("what is kept for good is never collected", async () => {
  const key = await stored();
  await keepObject(bed.ctx.db, key, null);
  await pass(10_000);
  await collectObjects(bed.ctx, 100);
  expect(await isThere(key)).toBe(true);
});

test("a task's video is kept for thirty days, says so, and is gone after them", async () => {
  const { account, taskId, key } = await completed();
  const [video] = (await queryTask(bed.ctx, account, taskId)).output ?? [];
  const inDays = ((video?.expiresAt ?? 0) - Date.now()) / (24 * 60 * 60 * 1000);
  expect(inDays).toBeCloseTo(30, 2);
  await pass(29.9);
  await collectObjects(bed.ctx, 100);
  expect(await isThere(key)).toBe(true);
  await pass(0.2);
  await collectObjects(bed.ctx, 100);
  expect(await isThere(key)).toBe(false);
});

test("an owner's delete ends the links at once; nobody else can, and not while it runs", async () => {
  const { account, taskId, key } = await completed();
  const other = await bed.openAccount();
  await expect(deleteMedia(bed.ctx, other, taskId)).rejects.toMatchObject({
    code: "access_denied",
  });
  expect(await isThere(key)).toBe(true);
  expect(await deleteMedia(bed.ctx, account, taskId)).toEqual({ deleted: 1 });
  expect(await isThere(key)).toBe(false);
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const running = await createTask(bed.ctx, account, body, null);
  const refused = deleteMedia(bed.ctx, account, running.taskId);
  await expect(refused).rejects.toMatchObject({ code: "task_not_over" });
  const unknown = deleteMedia(bed.ctx, account, "no-such-task");
  await expect(unknown).rejects.toMatchObject({ code: "task_not_found" });
});

/** Objects whose time is over, of which the storage has nothing. */
async function expire(...keys: string[]): Promise<void> {
  await bed.database.sql(
    "insert into media_objects (key, expires_at) select unnest($1::text[]), now() - interval '1 hour'",
    [keys],
  );
}
const keysOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(39, "0")}.mp4`);
const left = async (...keys: string[]) =>
  (
    await bed.database.sql<{ key: string }>(
      "select key from media_objects where key = any($1::text[])",
      [keys],
    )
  ).map(({ key }) => key);

test("an object that cannot be removed is counted and stops no other from being collected", async () => {
  const good = keysOf("a", 500);
  const bad = "no key of the storage";
  await expire(bad);
  await expire(...good);
  expect(await collectObjects(bed.ctx, 100)).toBe(500);
  expect(await left(bad, ...good)).toEqual([bad]);
  const stuck = "select failures, parked_at from stuck_rows where loop = 'collect objects'";
  expect(await bed.database.sql(stuck)).toEqual([{ failures: 1, parked_at: null }]);
  await bed.database.sql(
    `update stuck_rows set failures = 9, first_failed_at = now() - interval '1 hour',
       last_failed_at = now() - interval '1 minute', next_try_at = now()`,
  );
  await bed.database.sql("update media_objects set expires_at = now() where key = $1", [bad]);
  await expire(...keysOf("b", 1));
  await collectObjects(bed.ctx, 1); // the good one
  await bed.database.sql("update media_objects set expires_at = now() where key = $1", [bad]);
  await collectObjects(bed.ctx, 100);
  expect(await bed.database.sql(stuck)).toEqual([{ failures: 10, parked_at: expect.any(Date) }]);
  await bed.database.sql("delete from media_objects where key = $1", [bad]);
});

test("workers that collect at once share the objects", async () => {
  await expire(...keysOf("c", 300));
  const another = bed.openAnother();
  const counts = await Promise.all(
    [bed.ctx, another, bed.ctx, another].map((ctx) => collectObjects(ctx, 50)),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300);
});
