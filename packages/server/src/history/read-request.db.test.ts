import { afterAll, beforeAll, expect, test } from "vitest";
import { endings } from "../../test/harness/endings.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { buildApi } from "../api/build-api.ts";
import { createTask } from "../generation/create-task.ts";
import type { TaskId } from "../ids.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { createUpscale } from "../upscale/create-upscale.ts";
import type { RequestAnswer } from "./request-schema.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

async function read(key: string, taskId: string): Promise<RequestAnswer & { http: number }> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await api.inject({ url: `/api/v1/jobs/request?taskId=${taskId}`, headers });
  return { http: response.statusCode, ...response.json<RequestAnswer>() };
}

test("a task's request can be read and made again, with the items of its price", async () => {
  const account = await bed.openAccount();
  const inputs = { prompt: "a fox", duration: "8s", resolution: "720x1280" };
  const body = { model: "sd2", inputs, callBackUrl: "https://example.com/done" };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const { http, createdAt, items, ...request } = await read(account.key, taskId);
  expect(http).toBe(200);
  expect(request).toMatchObject({
    taskId,
    kind: "generation",
    model: "sd2",
    inputsMissing: null,
    maxCredits: null,
    inputs: { prompt: "a fox", duration: "8", resolution: "720x1280", outputResolution: "720p" },
    callBackUrl: "https://example.com/done",
  });
  expect(Math.abs(Date.now() - createdAt)).toBeLessThan(600_000);
  expect(items).toEqual([expect.objectContaining({ item: "output", unit: "second", quantity: 8 })]);
  const again = { model: request.model, inputs: request.inputs ?? {} };
  const second = await createTask(bed.ctx, account, again, null);
  expect((await read(account.key, second.taskId)).inputs).toEqual(request.inputs);
});

test("what retention purged is missing, and says so; the items of the price stay", async () => {
  const account = await bed.openAccount();
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await finishTask(bed.ctx, taskId, endings.FAILED);
  const purge = "update tasks set request = blank_request(request) where id = $1";
  await bed.database.sql(purge, [taskId]);
  const { inputs, inputsMissing, items } = await read(account.key, taskId);
  expect({ inputs, inputsMissing }).toEqual({ inputs: null, inputsMissing: "purged" });
  expect(items).toHaveLength(1);
});

test("an upscale's source and limit can be read", async () => {
  const account = await bed.openAccount();
  const source = { type: "url" as const, url: "https://example.com/a.mp4" };
  const body = { source, targetResolution: "4k" as const, maxCredits: 5000 };
  const { taskId } = await createUpscale(bed.ctx, account, body, null);
  expect(await read(account.key, taskId)).toMatchObject({
    kind: "upscale",
    inputs: { source, targetResolution: "4k" },
    maxCredits: 5000,
    items: [{ item: "upscale", quantity: 5 }],
  });
  const purge = "update tasks set request = blank_request(request) where id = $1";
  await bed.database.sql(purge, [taskId as TaskId]);
  expect(await read(account.key, taskId)).toMatchObject({ inputs: null, inputsMissing: "purged" });
});

test("the request of an unknown task is not found", async () => {
  const account = await bed.openAccount();
  expect(await read(account.key, "none")).toMatchObject({ http: 404, code: "task_not_found" });
});
