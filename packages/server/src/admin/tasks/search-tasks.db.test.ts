import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { createTask } from "../../generation/create-task.ts";
import { finishTask } from "../../tasks/finish-task.ts";
import { searchTasks } from "./search-tasks.ts";

let bed: TestBed;
let other: TestBed;
beforeAll(async () => {
  [bed, other] = await Promise.all([openTestBed(), openTestBed()]);
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

test("an operator finds the task behind an output by its SHA-256, in every shard", async () => {
  const sha256 = randomBytes(32).toString("hex");
  const made: { taskId: string; accountId: string }[] = [];
  for (const shard of [bed, other]) {
    const account = await shard.openAccount();
    const body = { model: "sd2", inputs: { prompt: "a fox" } };
    const { taskId } = await createTask(shard.ctx, account, body, null);
    const facts = {
      contentType: "video/mp4",
      sizeBytes: 1,
      width: 2,
      height: 2,
      durationMs: 1_000,
    };
    const media = { key: `${"ab".repeat(20)}.mp4`, sha256, ...facts };
    await finishTask(shard.ctx, taskId, { kind: "completed", output: [media] });
    made.push({ taskId, accountId: account.id });
  }
  const ctx = { ...bed.ctx, otherShards: [other.ctx] };
  const { items } = await searchTasks(ctx, { sha256, limit: 10 });
  expect(items.map(({ id, accountId }) => ({ taskId: id, accountId }))).toEqual(made);
  const unknown = randomBytes(32).toString("hex");
  expect((await searchTasks(ctx, { sha256: unknown, limit: 10 })).items).toEqual([]);
});
