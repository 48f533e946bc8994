import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { createClient } from "@zoetrope/testkit/api-client.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";

const endMsMax = 120_000;

const cleanUp = new AsyncDisposableStack();
let scratch: Scratch;
let stack: Stack;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  scratch = cleanUp.use(await makeScratch("outages"));
  stack = cleanUp.use(
    await startStack({
      dir: scratch.path,
      serverEnv: {
        POLL_FIRST_MS: "500",
        SUBMIT_RETRY_MS: "1000",
        SWEEP_INTERVAL_MS: "300",
        STEP_RETRY_MS_MAX: "300",
      },
      sandboxEnv: { SANDBOX_QUEUED_MS: "50", SANDBOX_RUNNING_MS: "50" },
    }),
  );
  const { key } = await stack.openAccount({ name: "outages", credits: 1_000, openTasksMax: 10 });
  client = createClient(stack.apiUrl, key);
});
afterAll(() => cleanUp.disposeAsync());

const logged = async (event: string, taskId: string) =>
  (await readFile(join(scratch.path, "logs", "worker.log"), "utf8"))
    .split("\n")
    .filter((line) => line.includes(`"event":"${event}"`) && line.includes(taskId)).length;

/** Returns the number of times the vendor made the output of this prompt. */
const made = async (prompt: string) =>
  (await readFile(stack.sandboxLog, "utf8"))
    .split("\n")
    .filter((line) => line.includes(prompt) && line.includes('"accepted":true')).length;

test("storage away for longer than a step is retried: what the vendors made is stored when it is back", async () => {
  const root = join(scratch.path, "media");
  await mkdir(root, { recursive: true });
  await rename(root, `${root}-away`);
  await writeFile(root, "not a folder");
  const video = await client.create("sd2", { prompt: "a heron lands", duration: "4s" });
  const image = await client.create("image-pro-2", { prompt: "a heron", resolution: "1k" });
  await waitUntil(
    "the video's steps were given up twice and the image was kept",
    async () =>
      (await logged("task.postponed", video)) >= 2 && (await logged("task.delayed", image)) >= 2,
    { timeoutMs: endMsMax, intervalMs: 200 },
  );
  await rm(root);
  await rename(`${root}-away`, root);
  expect(await client.finished(video, endMsMax)).toMatchObject({ status: "COMPLETED" });
  expect(await client.finished(image, endMsMax)).toMatchObject({ status: "COMPLETED" });
});

test("a stopping worker finishes the image in progress, and takes no other", async () => {
  const prompt = "a heron stands still [sandbox:slow=28]"; // longer than anything else may take then
  const image = await client.create("image-pro-2", { prompt, resolution: "1k" });
  await waitUntil(
    "the vendor is at work",
    async () => (await client.task(image)).status === "PROCESSING",
    { timeoutMs: endMsMax },
  );
  const { exited } = stack.worker;
  process.kill(stack.worker.pid, "SIGTERM");
  const next = await client.create("image-pro-2", { prompt: "an egret", resolution: "1k" });
  expect(await exited).toEqual({ code: 0, signal: null });
  expect(await logged("vendor.called", image)).toBe(1);
  expect(await logged("vendor.called", next)).toBe(0);
  await stack.worker.restart();
  expect(await client.finished(image, endMsMax)).toMatchObject({ status: "COMPLETED" });
  expect(await client.finished(next, endMsMax)).toMatchObject({ status: "COMPLETED" });
  expect(await made("a heron stands still")).toBe(1);
});
