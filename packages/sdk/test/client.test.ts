import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  ConcurrencyLimitError,
  type ConnectionError,
  InsufficientCreditsError,
  InvalidParametersError,
  NotFoundError,
  TaskFailedError,
  TimeoutError,
  UnauthorizedError,
} from "../src/errors.ts";
import type { GenerationTask } from "../src/types.ts";
import { Zoetrope } from "../src/zoetrope.ts";
import { type FaultyProxy, startFaultyProxy } from "./faulty-proxy.ts";

let scratch: Scratch;
let stack: Stack;
let proxy: FaultyProxy;
beforeAll(async () => {
  scratch = await makeScratch("sdk");
  stack = await startStack({
    dir: scratch.path,
    serverEnv: { POLL_FIRST_MS: "500", REVIEW_IMAGE: "vendor" },
    sandboxEnv: { SANDBOX_DRAFT: "true" },
  });
  proxy = await startFaultyProxy(stack.apiUrl, 7);
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await stack.stop();
  await scratch.remove();
});

async function openClient(account: { credits?: number; openTasksMax?: number } = {}) {
  const { key } = await stack.openAccount({ name: "sdk", credits: 10_000, ...account });
  return new Zoetrope({ baseUrl: `${proxy.url}/`, apiKey: key });
}

test("run answers a file that plays, and reports every state on the way", async () => {
  const client = await openClient();
  const states: string[] = [];
  const onProgress = ({ status }: GenerationTask) => states.push(status);
  const task = await client.run("sd2", { prompt: "a heron", duration: "4s" }, { onProgress });
  const path = join(scratch.path, "heron.mp4");
  await task.files[0]?.download(path);
  expect((await probeVideo(path)).seconds).toBeCloseTo(4, 0);
  expect(states.at(-1)).toBe("COMPLETED");
  expect(new Set(states).size).toBe(states.length);
  const blob = await task.files[0]?.blob();
  expect(blob?.size).toBe((await readFile(path)).length);
});

test("a file where a URL is expected is uploaded, reviewed and used, once for two tasks", async () => {
  const client = await openClient();
  const path = join(scratch.path, "frame.png");
  await renderFile(path, ["-f", "lavfi", "-i", "testsrc2=s=640x640:d=1", "-frames:v", "1"]);
  const image = await openAsBlob(path);
  const inputs = { prompt: "at night", urls: [image], resolution: "1k" as const };
  const run = () => client.run("image-plus-2", inputs);
  const both = await Promise.all([run(), run()]);
  expect(both.map(({ status }) => status)).toEqual(["COMPLETED", "COMPLETED"]);
  expect((await client.assets.list()).items).toHaveLength(1);
});

test("a stream shows every state until the last", async () => {
  const client = await openClient();
  const { taskId } = await client.tasks.create({
    model: "image-plus-2",
    inputs: { prompt: "a fox" },
  });
  const states: string[] = [];
  for await (const { status } of client.tasks.stream(taskId)) states.push(status);
  expect(states.at(-1)).toBe("COMPLETED");
});

test("a task that fails throws its code, and costs nothing", async () => {
  const client = await openClient();
  const failing = client.run("sd2", { prompt: "a heron [sandbox:fail]" });
  await expect(failing).rejects.toThrow(TaskFailedError);
  expect((await client.credits()).credits).toBe(10_000);
});

test("refusals are told apart by their class, with code, parameter and request id", async () => {
  const client = await openClient({ credits: 1 });
  await expect(client.run("sd2", { prompt: "a fox" })).rejects.toThrow(InsufficientCreditsError);
  await expect(client.tasks.get("none")).rejects.toThrow(NotFoundError);
  const wrong = client.quote({ model: "sd2", inputs: { prompt: "a fox", duration: "99s" } });
  const error = await wrong.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(InvalidParametersError);
  expect(error).toMatchObject({ param: "inputs.duration", requestId: expect.any(String) });
  const stranger = new Zoetrope({ baseUrl: stack.apiUrl, apiKey: "zoe_live_none" });
  await expect(stranger.credits()).rejects.toThrow(UnauthorizedError);
});

test("waiting ends at once when it is aborted, and says so when its time is over", async () => {
  const client = await openClient();
  const inputs = { prompt: "a heron [sandbox:hang]" };
  const { taskId } = await client.tasks.create({ model: "sd2", inputs });
  const abort = new AbortController();
  const waiting = client.tasks.wait(taskId, { signal: abort.signal });
  const outcome = waiting.catch(() => performance.now());
  await client.credits();
  const abortedAt = performance.now();
  abort.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  expect(Number(await outcome) - abortedAt).toBeLessThan(5_000);
  await expect(client.tasks.wait(taskId, { timeoutMs: 1 })).rejects.toThrow(TimeoutError);
});

test("a batch of more tasks than the account may have sees every one of them through", async () => {
  const client = await openClient({ openTasksMax: 3 });
  const requests = Array.from({ length: 8 }, (_, n) => ({
    model: "image-plus-2" as const,
    inputs: { prompt: `a fox, number ${n}`, resolution: "1k" as const },
  }));
  const done: number[] = [];
  for await (const result of client.batch(requests)) {
    expect(result.status).toBe("completed");
    done.push(result.index);
  }
  expect(done.toSorted((a, b) => a - b)).toEqual(requests.map((_, index) => index));
  const listed: string[] = [];
  for await (const { taskId } of client.tasks.listAll({ status: "COMPLETED", limit: 3 }))
    listed.push(taskId);
  expect(new Set(listed).size).toBe(requests.length);
  const { tasks, notFound } = await client.tasks.query([...listed, "none"]);
  expect(tasks.map(({ taskId }) => taskId)).toEqual(listed);
  expect(notFound).toEqual(["none"]);
  const { entries } = await client.tasks.timeline(listed[0] ?? "");
  expect(entries.length).toBeGreaterThan(2);
  expect((await client.keys()).items).toHaveLength(1);
  const [usage] = (await client.usage({ by: "day" })).items;
  expect(usage).toMatchObject({ completed: requests.length, failed: 0 });
});

test("500 creates through resets, 500s, 429s and a killed server make exactly 500 tasks", async () => {
  await stack.worker.stop(); // what is created stays
  const { key, accountId } = await stack.openAccount({
    name: "exact",
    credits: 100_000,
    openTasksMax: 1_000,
  });
  const client = new Zoetrope({ baseUrl: proxy.url, apiKey: key });
  proxy.faults = 0.4;
  let created = 0;
  const createOne = async (n: number): Promise<string> => {
    let idempotencyKey: string | undefined;
    for (;;)
      try {
        const request = { model: "image-plus-2" as const, inputs: { prompt: `fox ${n}` } };
        const { taskId } = await client.tasks.create(request, { idempotencyKey });
        created += 1;
        if (created === 250) await killApi();
        return taskId;
      } catch (error) {
        if (error instanceof ConcurrencyLimitError || !isUncertain(error)) throw error;
        idempotencyKey = error.idempotencyKey ?? undefined;
      }
  };
  const killApi = async () => {
    await stack.api.kill();
    const another = await stack.startServer({ role: "api", name: "api-2" });
    proxy.target = another.url;
  };
  const numbers = Array.from({ length: 500 }, (_, n) => n);
  const taskIds = await inParallel(10, numbers, createOne);
  proxy.faults = 0;
  const rows = await withClient(stack.databaseOwnerUrl, (db) =>
    db.query("select id from tasks where account_id = $1", [accountId]),
  );
  expect(new Set(taskIds).size).toBe(500);
  expect(rows.rowCount).toBe(500);
  expect(proxy.seen.faults).toBeGreaterThan(200);
});

function isUncertain(error: unknown): error is ConnectionError {
  return error instanceof Error && "idempotencyKey" in error;
}
