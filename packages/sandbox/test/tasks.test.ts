import { expect, test } from "vitest";
import { z } from "zod";
import { cheap, fastModel, model, sandboxForTest, type TestSandbox } from "./support.ts";

test("a finished task answers get in the documented shape, times in seconds", async () => {
  const sandbox = await sandboxForTest();
  const before = Math.floor(Date.now() / 1_000);
  const id = await sandbox.created(`a fox ${cheap}`, {
    resolution: "480p",
    ratio: "1:1",
    duration: 7,
    seed: 42,
    generate_audio: false,
    execution_expires_after: 7_200,
    priority: 3,
    safety_identifier: "account-1",
  });
  const task = await sandbox.reaches(id, "succeeded");
  expect(task).toEqual({
    id,
    model,
    status: "succeeded",
    error: null,
    content: {
      video_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/videos\/\S+\.mp4\?token=/),
    },
    usage: { completion_tokens: 67_200, total_tokens: 67_200 },
    created_at: expect.any(Number),
    updated_at: expect.any(Number),
    seed: 42,
    resolution: "480p",
    ratio: "1:1",
    duration: 7,
    framespersecond: 24,
    generate_audio: false,
    service_tier: "default",
    execution_expires_after: 7_200,
    priority: 3,
    safety_identifier: "account-1",
  });
  const now = Math.floor(Date.now() / 1_000);
  const times = z.object({
    created_at: z.int().min(before).max(now),
    updated_at: z.int().min(before).max(now),
  });
  expect(times.safeParse(task).success).toBe(true);
});

test("a task waits in queued and in running for the configured time", async () => {
  const sandbox = await sandboxForTest({ queuedMs: 500, runningMs: 1_000 });
  const started = performance.now();
  const id = await sandbox.created(cheap);
  expect((await sandbox.get(id)).status).toBe("queued");
  const running = await sandbox.reaches(id, "running");
  expect(performance.now() - started).toBeGreaterThanOrEqual(495);
  expect(running.content).toBeUndefined();
  await sandbox.reaches(id, "succeeded");
  expect(performance.now() - started).toBeGreaterThanOrEqual(1_495);
});

test("a task that is not done when its time is over expires", async () => {
  const sandbox = await sandboxForTest({ expirySecondMs: 0.02 }); // 3600 s in 72 ms
  const id = await sandbox.created("[sandbox:hang]", { execution_expires_after: 3_600 });
  const task = await sandbox.reaches(id, "expired");
  expect(task.content).toBeUndefined();
});

test("a task that is done does not expire later", async () => {
  const sandbox = await sandboxForTest({ expirySecondMs: 0.4 });
  const done = await sandbox.created(cheap, { execution_expires_after: 3_600 });
  await sandbox.reaches(done, "succeeded");
  const hung = await sandbox.created("[sandbox:hang]", { execution_expires_after: 3_600 });
  await sandbox.reaches(hung, "expired"); // so the time of the first is over too
  expect((await sandbox.get(done)).status).toBe("succeeded");
});

test("delete cancels a queued task, and a cancelled one never runs and refuses to be deleted", async () => {
  const sandbox = await sandboxForTest({ queuedMs: 1_000 });
  const id = await sandbox.created(cheap);
  expect(await sandbox.remove(id)).toEqual({ status: 200, body: {} });
  const later = await sandbox.created(cheap);
  await sandbox.reaches(later, "succeeded");
  expect((await sandbox.get(id)).status).toBe("cancelled");
  expect((await sandbox.remove(id)).status).toBe(409);
});

test("delete refuses a running task with the vendor's 409", async () => {
  const sandbox = await sandboxForTest();
  const id = await sandbox.created("[sandbox:hang]");
  await sandbox.reaches(id, "running");
  expect(await sandbox.remove(id)).toMatchObject({
    status: 409,
    body: { error: { code: "InvalidAction.RunningTaskDeletion", type: "Conflict" } },
  });
  expect((await sandbox.get(id)).status).toBe("running");
});

test("delete erases a finished task", async () => {
  const sandbox = await sandboxForTest();
  const id = await sandbox.created("[sandbox:fail]");
  await sandbox.reaches(id, "failed");
  expect(await sandbox.remove(id)).toEqual({ status: 200, body: {} });
  expect((await sandbox.remove(id)).status).toBe(404);
  expect(await sandbox.list()).toMatchObject({ body: { total: 0, items: [] } });
});

async function idsOf(
  sandbox: TestSandbox,
  query: string,
): Promise<{ total: number; ids: string[] }> {
  const { body } = await sandbox.list(query);
  const list = z
    .object({ total: z.number(), items: z.array(z.object({ id: z.string() })) })
    .parse(body);
  return { total: list.total, ids: list.items.map(({ id }) => id) };
}

test("the list shows the newest first, in pages, with the number of all", async () => {
  const sandbox = await sandboxForTest();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.unshift(await sandbox.created("[sandbox:hang]"));
  expect(await idsOf(sandbox, "")).toEqual({ total: 5, ids });
  expect(await idsOf(sandbox, "?page_num=1&page_size=2")).toEqual({
    total: 5,
    ids: ids.slice(0, 2),
  });
  expect(await idsOf(sandbox, "?page_num=3&page_size=2")).toEqual({ total: 5, ids: ids.slice(4) });
  expect(await idsOf(sandbox, "?page_num=4&page_size=2")).toEqual({ total: 5, ids: [] });
});

test("the list filters by status, by model and by any number of ids", async () => {
  const sandbox = await sandboxForTest();
  const failed = await sandbox.created("[sandbox:fail]");
  const hung = await sandbox.created("[sandbox:hang]");
  const fast = await sandbox.created("[sandbox:hang]", { model: fastModel });
  await sandbox.reaches(failed, "failed");
  await sandbox.reaches(fast, "running");
  expect(await idsOf(sandbox, "?filter.status=failed")).toEqual({ total: 1, ids: [failed] });
  expect(await idsOf(sandbox, "?filter.status=running")).toEqual({ total: 2, ids: [fast, hung] });
  expect(await idsOf(sandbox, `?filter.model=${fastModel}`)).toEqual({ total: 1, ids: [fast] });
  expect(await idsOf(sandbox, `?filter.task_ids=${hung}`)).toEqual({ total: 1, ids: [hung] });
  const both = `?filter.task_ids=${failed}&filter.task_ids=${hung}&filter.task_ids=cgt-none`;
  expect(await idsOf(sandbox, both)).toEqual({ total: 2, ids: [hung, failed] });
  expect(await idsOf(sandbox, `?filter.status=failed&filter.task_ids=${hung}`)).toEqual({
    total: 0,
    ids: [],
  });
});

test("a list item has failure_reason for error and no resolution, ratio or duration", async () => {
  const sandbox = await sandboxForTest();
  const id = await sandbox.created("[sandbox:fail]");
  await sandbox.reaches(id, "failed");
  const { body } = await sandbox.list();
  const [item] = z.object({ items: z.array(z.record(z.string(), z.unknown())) }).parse(body).items;
  expect(item).toMatchObject({
    id,
    failure_reason: { code: "InternalServiceError" },
    framespersecond: 24,
  });
  for (const absent of ["error", "resolution", "ratio", "duration"])
    expect(item).not.toHaveProperty(absent);
});

test.each(["page_size=0", "page_size=501", "page_num=0", "page_num=x", "filter.status=done"])(
  "a list with %s answers 400",
  async (query) => {
    const sandbox = await sandboxForTest();
    const [param] = query.split("=");
    expect(await sandbox.list(`?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: "InvalidParameter", param } },
    });
  },
);
