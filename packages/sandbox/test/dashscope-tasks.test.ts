import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { readLocalTime, writeLocalTime } from "../src/vendors/dashscope/local-time.ts";
import { asynchronous, type DashScopeSandbox, dashscopeSandbox, t2v } from "./dashscope-support.ts";
import { cheap } from "./support.ts";

const localTime = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);

test("a succeeded task answers get in the documented shape, with the prompt and the usage", async () => {
  const sandbox = await dashscopeSandbox();
  const prompt = `a horse ${cheap}`;
  const id = await sandbox.created(prompt, { ratio: "3:4", duration: 7, watermark: false });
  expect(await sandbox.reaches(id, "SUCCEEDED")).toEqual({
    request_id: expect.any(String),
    output: {
      task_id: id,
      task_status: "SUCCEEDED",
      submit_time: localTime,
      scheduled_time: localTime,
      end_time: localTime,
      orig_prompt: prompt,
      video_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/videos\/\S+\.mp4\?token=/),
    },
    usage: {
      duration: 7,
      input_video_duration: 0,
      output_video_duration: 7,
      video_count: 1,
      SR: 720,
      ratio: "3:4",
    },
  });
});

test("a failed task answers get with HTTP 200, its code and message, and nothing else", async () => {
  const sandbox = await dashscopeSandbox();
  const id = await sandbox.created("[sandbox:fail]");
  expect(await sandbox.reaches(id, "FAILED")).toEqual({
    request_id: expect.any(String),
    output: {
      task_id: id,
      task_status: "FAILED",
      code: "InternalError",
      message: expect.stringMatching(/./),
    },
  });
});

test("a task that nobody knows is UNKNOWN, with HTTP 200", async () => {
  const sandbox = await dashscopeSandbox();
  const id = "00000000-0000-0000-0000-000000000000";
  const { output } = await sandbox.get(id);
  expect(output).toEqual({ task_id: id, task_status: "UNKNOWN" });
});

test("a task waits in PENDING and in RUNNING for the configured time", async () => {
  const sandbox = await dashscopeSandbox({ queuedMs: 500, runningMs: 1_000 });
  const started = performance.now();
  const id = await sandbox.created(cheap);
  const pending = await sandbox.get(id);
  expect(pending.output).toEqual({ task_id: id, task_status: "PENDING", submit_time: localTime });
  const running = await sandbox.reaches(id, "RUNNING");
  expect(performance.now() - started).toBeGreaterThanOrEqual(495);
  expect(running.output.video_url).toBeUndefined();
  await sandbox.reaches(id, "SUCCEEDED");
  expect(performance.now() - started).toBeGreaterThanOrEqual(1_495);
});

test("times are Beijing's, without a zone", async () => {
  expect(writeLocalTime(Date.UTC(2026, 0, 1, 20, 30))).toBe("2026-01-02 04:30:00.000");
  expect(readLocalTime("20260102043000")).toBe(Date.UTC(2026, 0, 1, 20, 30));
  const sandbox = await dashscopeSandbox();
  const before = Date.now();
  const id = await sandbox.created(cheap);
  const { output } = await sandbox.get(id);
  const submitted = Date.parse(`${String(output["submit_time"]).replace(" ", "T")}+08:00`);
  expect(submitted).toBeGreaterThanOrEqual(before);
  expect(submitted).toBeLessThanOrEqual(Date.now());
});

test("cancel ends a pending task, which never runs, and refuses any other", async () => {
  const sandbox = await dashscopeSandbox({ queuedMs: 1_000 });
  const id = await sandbox.created(cheap);
  expect(await sandbox.cancel(id)).toEqual({
    status: 200,
    body: { request_id: expect.any(String) },
  });
  const later = await sandbox.created(cheap);
  await sandbox.reaches(later, "SUCCEEDED");
  expect((await sandbox.get(id)).output.task_status).toBe("CANCELED");
  for (const other of [id, later, "00000000-0000-0000-0000-000000000000"]) {
    expect(await sandbox.cancel(other)).toMatchObject({
      status: 400,
      body: { code: "UnsupportedOperation", message: expect.stringMatching(/PENDING/) },
    });
  }
});

test("a running task cannot be cancelled", async () => {
  const sandbox = await dashscopeSandbox();
  const id = await sandbox.created("[sandbox:hang]");
  await sandbox.reaches(id, "RUNNING");
  expect((await sandbox.cancel(id)).status).toBe(400);
  expect((await sandbox.get(id)).output.task_status).toBe("RUNNING");
});

const listSchema = z.looseObject({
  total: z.number(),
  total_page: z.number(),
  data: z.array(z.looseObject({ task_id: z.string() })),
});

async function listed(sandbox: DashScopeSandbox, query: string) {
  const { body } = await sandbox.list(query);
  const { total, total_page, data } = listSchema.parse(body);
  return { total, pages: total_page, ids: data.map(({ task_id }) => task_id) };
}

test("the list shows the newest first, ten to a page by default", async () => {
  const sandbox = await dashscopeSandbox();
  const ids: string[] = [];
  for (let count = 0; count < 11; count++) ids.unshift(await sandbox.created("[sandbox:hang]"));
  expect(await listed(sandbox, "")).toEqual({ total: 11, pages: 2, ids: ids.slice(0, 10) });
  expect(await listed(sandbox, "/")).toEqual({ total: 11, pages: 2, ids: ids.slice(0, 10) });
  expect(await listed(sandbox, "?page_no=3&page_size=5")).toEqual({
    total: 11,
    pages: 3,
    ids: ids.slice(10),
  });
  expect((await listed(sandbox, "?page_no=4&page_size=5")).ids).toEqual([]);
});

test("the list filters by status, model and task", async () => {
  const sandbox = await dashscopeSandbox();
  const failed = await sandbox.created("[sandbox:fail]");
  const body = { model: "happyhorse-1.0-t2v", input: { prompt: "[sandbox:hang]" } };
  const hung = await sandbox.accepted(body);
  await sandbox.reaches(failed, "FAILED");
  await sandbox.reaches(hung, "RUNNING");
  expect((await listed(sandbox, "?status=FAILED")).ids).toEqual([failed]);
  expect((await listed(sandbox, "?status=RUNNING")).ids).toEqual([hung]);
  expect((await listed(sandbox, `?model_name=${t2v}`)).ids).toEqual([failed]);
  expect((await listed(sandbox, `?task_id=${hung}`)).ids).toEqual([hung]);
  expect((await listed(sandbox, "?region=elsewhere")).ids).toEqual([]);
});

test("the list covers the stretch it is asked for, a day at most, the last one by itself", async () => {
  const sandbox = await dashscopeSandbox();
  const id = await sandbox.created("[sandbox:hang]");
  const time = (offsetMs: number) =>
    writeLocalTime(Date.now() + offsetMs)
      .replace(/\D/g, "")
      .slice(0, 14);
  const minute = 60_000;
  const hour = 60 * minute;
  expect((await listed(sandbox, `?start_time=${time(-minute)}`)).ids).toEqual([id]);
  expect((await listed(sandbox, `?start_time=${time(minute)}`)).ids).toEqual([]);
  expect((await listed(sandbox, `?end_time=${time(-minute)}`)).ids).toEqual([]);
  const around = `?start_time=${time(-12 * hour)}&end_time=${time(12 * hour)}`;
  expect((await listed(sandbox, around)).ids).toEqual([id]);
  const wide = `?start_time=${time(-20 * hour)}&end_time=${time(20 * hour)}`;
  expect(await sandbox.list(wide)).toMatchObject({
    status: 400,
    body: { code: "InvalidParameter" },
  });
});

test("a list item has times in milliseconds, the id of its create's request, and no prompt", async () => {
  const sandbox = await dashscopeSandbox();
  const before = Date.now();
  const created = await sandbox.create("[sandbox:fail=DataInspectionFailed]");
  const { request_id, output } = z
    .object({ request_id: z.string(), output: z.object({ task_id: z.string() }) })
    .parse(created.body);
  await sandbox.reaches(output.task_id, "FAILED");
  const { body } = await sandbox.list();
  const [item] = listSchema.parse(body).data;
  expect(item).toEqual({
    api_key_id: expect.any(String),
    caller_parent_id: expect.any(String),
    caller_uid: expect.any(String),
    code: "DataInspectionFailed",
    message: expect.any(String),
    gmt_create: expect.any(Number),
    start_time: expect.any(Number),
    end_time: expect.any(Number),
    model_name: t2v,
    region: "cn-beijing",
    request_id,
    status: "FAILED",
    task_id: output.task_id,
    user_api_unique_key: expect.stringMatching(t2v),
  });
  expect(item?.["gmt_create"]).toBeGreaterThanOrEqual(before);
});

test.each(["page_size=0", "page_size=101", "page_no=x", "status=done", "start_time=2026-01-01"])(
  "a list with %s answers 400",
  async (query) => {
    const sandbox = await dashscopeSandbox();
    expect(await sandbox.list(`?${query}`)).toMatchObject({
      status: 400,
      body: { code: "InvalidParameter", message: expect.stringMatching(query.split("=")[0] ?? "") },
    });
  },
);

test("with rate limits on, the 21st query in a second answers 429, whatever it asks", async () => {
  let now = 0;
  const sandbox = await dashscopeSandbox({ rateLimits: true }, () => now);
  const id = await sandbox.created(cheap); // a create is no query
  const asked = [() => sandbox.list(), () => sandbox.cancel(id)];
  const statuses: number[] = [];
  for (let count = 0; count < 21; count++) {
    const ask = asked[count % 2] ?? (() => sandbox.list());
    statuses.push((await ask()).status);
  }
  expect(statuses.slice(0, 20)).not.toContain(429);
  expect(await sandbox.list()).toMatchObject({
    status: 429,
    body: { code: "Throttling.RateQuota" },
  });
  now = 1_000;
  expect((await sandbox.list()).status).toBe(200);
});

test("the control endpoint lists and counts the jobs of both vendors, numbered as they came", async () => {
  const sandbox = await dashscopeSandbox();
  const horse = await sandbox.created("a horse [sandbox:hang]");
  const ark = await sandboxArkCreate(sandbox);
  const later = await sandbox.created("another [sandbox:hang]");
  const { body } = await sandbox.control("GET", "/jobs");
  expect(body).toMatchObject({
    jobs: [
      { number: 1, id: horse, vendor: "dashscope", prompt: "a horse [sandbox:hang]", model: t2v },
      { number: 2, id: ark, vendor: "ark" },
      { number: 3, id: later, vendor: "dashscope", callbackUrl: null },
    ],
    next: null,
  });
  const second = await sandbox.control("GET", "/jobs?after=1&limit=1");
  expect(second.body).toMatchObject({ jobs: [{ id: ark }], next: 2 });
  expect(await sandbox.stats()).toMatchObject({ jobs: 3, creates: 3, accepted: 3 });
});

async function sandboxArkCreate(sandbox: DashScopeSandbox): Promise<string> {
  const authorization = "Bearer a-key-for-tests";
  const content = [{ type: "text", text: "a fox [sandbox:hang]" }];
  const body = { model: "doubao-seedance-2-0-260128", content };
  const path = "/api/v3/contents/generations/tasks";
  const answer = await sandbox.call("POST", path, body, { authorization });
  return z.object({ id: z.string() }).parse(answer.body).id;
}

test("the control endpoint ends an open task, and one it expires is UNKNOWN from then on", async () => {
  const sandbox = await dashscopeSandbox();
  const [failed, gone] = [
    await sandbox.created("[sandbox:hang]"),
    await sandbox.created("[sandbox:hang]"),
  ];
  const failing = { status: "failed", code: "output_blocked" };
  const answer = await sandbox.control("POST", `/jobs/${failed}/finish`, failing);
  expect(answer.body).toMatchObject({ status: "failed", code: "DataInspectionFailed" });
  expect((await sandbox.get(failed)).output.message).toMatch(/^Output/);
  await sandbox.control("POST", `/jobs/${gone}/finish`, { status: "expired" });
  expect((await sandbox.get(gone)).output).toEqual({ task_id: gone, task_status: "UNKNOWN" });
});

test("the journal names the vendor and the prompt of every create and the vendor of every change", async () => {
  const sandbox = await dashscopeSandbox();
  const prompt = "a horse [sandbox:fail]";
  const id = await sandbox.created(prompt);
  await sandbox.reaches(id, "FAILED");
  await sandbox.post({ model: t2v, input: {} }, asynchronous);
  const lines = readFileSync(join(sandbox.dir, "sandbox.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const at = expect.any(Number);
  const common = { at, event: "create", vendor: "dashscope", callbackUrl: null };
  expect(lines.filter(({ event }) => event === "create")).toEqual([
    {
      ...common,
      jobId: id,
      accepted: true,
      answer: 200,
      code: null,
      model: t2v,
      prompt,
      safetyIdentifier: null,
      watermark: true,
    },
    {
      ...common,
      jobId: null,
      accepted: false,
      answer: 400,
      code: "InvalidParameter",
      model: null,
      prompt: null,
      safetyIdentifier: null,
    },
  ]);
  const change = { at, event: "status", vendor: "dashscope", jobId: id };
  expect(lines.filter(({ event }) => event === "status")).toEqual([
    { ...change, from: null, to: "queued", code: null },
    { ...change, from: "queued", to: "running", code: null },
    { ...change, from: "running", to: "failed", code: "InternalError" },
  ]);
});
