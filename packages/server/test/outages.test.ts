import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type House, startHouse } from "@zoetrope/dev/house.ts";
import { makeScratch, type Scratch } from "@zoetrope/dev/services/scratch.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "./harness/client.ts";

const endMsMax = 120_000;

const cleanUp = new AsyncDisposableStack();
let scratch: Scratch;
let house: House;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  scratch = cleanUp.use(await makeScratch("outages"));
  house = cleanUp.use(
    await startHouse({
      dir: scratch.path,
      serverEnv: {
        LOOK_FIRST_MS: "500",
        BEGIN_AGAIN_MS: "1000",
        SWEEP_INTERVAL_MS: "300",
        STEP_PATIENCE_MS: "300",
      },
      sandboxEnv: { SANDBOX_QUEUED_MS: "50", SANDBOX_RUNNING_MS: "50" },
    }),
  );
  const { key } = await house.openAccount({ name: "outages", credits: 1_000, openTasksMax: 10 });
  client = createClient(house.apiUrl, key);
});
afterAll(() => cleanUp.disposeAsync());

const logged = async (event: string, taskId: string) =>
  (await readFile(join(scratch.path, "logs", "worker.log"), "utf8"))
    .split("\n")
    .filter((line) => line.includes(`"event":"${event}"`) && line.includes(taskId)).length;

/** How often the vendor made what this prompt asks for. */
const made = async (prompt: string) =>
  (await readFile(house.sandboxLog, "utf8"))
    .split("\n")
    .filter((line) => line.includes(prompt) && line.includes('"accepted":true')).length;

test("storage away for longer than a step is retried: what the vendors made is stored when it is back", async () => {
  const root = join(scratch.path, "media");
  await mkdir(root, { recursive: true });
  await rename(root, `${root}-away`);
  await writeFile(root, "not a folder");
  const video = await client.create({ prompt: "a heron lands", duration: "4s" });
  const image = await client.create(
    { prompt: "a heron", resolution: "1k" },
    undefined,
    "image-pro-2",
  );
  await waitUntil(
    "the video's steps were given up twice and the image was kept",
    async () =>
      (await logged("task.left", video)) >= 2 && (await logged("task.delayed", image)) >= 2,
    { timeoutMs: endMsMax, intervalMs: 200 },
  );
  await rm(root);
  await rename(`${root}-away`, root);
  expect(await client.finished(video, endMsMax)).toMatchObject({ status: "COMPLETED" });
  expect(await client.finished(image, endMsMax)).toMatchObject({ status: "COMPLETED" });
});

test("a worker that is told to stop brings the image under way to its end, and takes no other", async () => {
  const prompt = "a heron stands still [sandbox:slow=28]"; // longer than anything else may take then
  const image = await client.create({ prompt, resolution: "1k" }, undefined, "image-pro-2");
  await waitUntil(
    "the vendor is at work",
    async () => (await client.query(image)).status === "PROCESSING",
    { timeoutMs: endMsMax },
  );
  const { exited } = house.worker;
  process.kill(house.worker.pid, "SIGTERM");
  const next = await client.create(
    { prompt: "an egret", resolution: "1k" },
    undefined,
    "image-pro-2",
  );
  expect(await exited).toEqual({ code: 0, signal: null });
  expect(await logged("vendor.called", image)).toBe(1);
  expect(await logged("vendor.called", next)).toBe(0);
  await house.worker.restart();
  expect(await client.finished(image, endMsMax)).toMatchObject({ status: "COMPLETED" });
  expect(await client.finished(next, endMsMax)).toMatchObject({ status: "COMPLETED" });
  expect(await made("a heron stands still")).toBe(1);
});
