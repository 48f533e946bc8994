import { join } from "node:path";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { serverPackage } from "@zoetrope/dev/start-server.ts";
import { createClient } from "@zoetrope/testkit/api-client.ts";
import { makeImage, pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { checkOutPreviousRelease } from "@zoetrope/testkit/previous-release.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { startWorkerFront, type WorkerFront } from "@zoetrope/testkit/services/worker-front.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AssetId, DeliveryId } from "../src/ids.ts";

/** While a release is rolled out, and after a rollback, the code of the last one runs on the new schema. */
const cleanUp = new AsyncDisposableStack();
const endMsMax = 120_000;
let front: WorkerFront;
let stack: Stack;
let media: FileServer;
let key: string;
let dir: string;
beforeAll(async () => {
  dir = cleanUp.use(await makeScratch("release")).path;
  const { serverDir } = await checkOutPreviousRelease(dir);
  front = cleanUp.use(await startWorkerFront({ dir: join(dir, "worker-front"), count: 2 }));
  media = cleanUp.use(await serveFiles({ dir, tlsDir: dir }));
  stack = cleanUp.use(
    await startStack({
      dir,
      serverDir,
      serverEnv: {
        POLL_FIRST_MS: "500",
        BEGIN_AGAIN_MS: "1000",
        SWEEP_INTERVAL_MS: "300",
        REVIEW_IMAGE: "",
        UPSCALE_PRESET: "ultrafast",
        ...media.env,
        ...front.envOf(0),
      },
      sandboxEnv: { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "200" },
    }),
  );
  key = (await stack.openAccount({ name: "release", credits: 1_000, openTasksMax: 20 })).key;
}, 2 * endMsMax);
afterAll(() => cleanUp.disposeAsync());

async function call<Body>(path: string, body?: unknown): Promise<Body> {
  const response = await fetch(`${stack.apiUrl}/api/v1/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as Body;
}

test(
  "the previous release on the new schema: a task completes, with its callback and event",
  async () => {
    await using receiver = await startReceiver();
    const client = createClient(stack.apiUrl, key);
    const taskId = await client.create(
      "sd2",
      { prompt: "a heron lands" },
      { callBackUrl: receiver.url },
    );
    const task = await client.finished(taskId, endMsMax);
    expect(task).toMatchObject({ status: "COMPLETED", creditsUsed: 30 });
    const [callback] = await receiver.arrived(1);
    expect(JSON.parse(callback?.body ?? "")).toEqual(task);
    const delivered = () =>
      call<{ items: { deliveryId: DeliveryId }[] }>("webhooks/deliveries?outcome=delivered");
    // The receiver has responded before the attempt is recorded.
    const isRecorded = async () => (await delivered()).items.length > 0;
    await waitUntil("the attempt is recorded", isRecorded, { timeoutMs: endMsMax });
    await call("webhooks/again", { deliveryId: (await delivered()).items[0]?.deliveryId });
    expect(await receiver.arrived(2)).toHaveLength(2);
    const { events } = await call<{ events: object[] }>("events");
    expect(events).toMatchObject([{ taskId, type: "generation.completed", data: task }]);
  },
  2 * endMsMax,
);

test(
  "the previous release on the new schema: a task that fails gives back its hold, and the ledger is right",
  async () => {
    const client = createClient(stack.apiUrl, key);
    const before = await client.balance();
    const taskId = await client.create("sd2", { prompt: "[sandbox:fail]" });
    expect(await client.finished(taskId, endMsMax)).toMatchObject({ status: "FAILED" });
    expect(await client.balance()).toEqual(before);
    expect(await stack.operate("ledger", "verify")).toMatchObject({ breaches: 0 });
  },
  2 * endMsMax,
);

test(
  "the previous release on the new schema: an asset is uploaded, stored and read",
  async () => {
    const { assetId } = await call<{ assetId: AssetId }>("assets/upload", {
      url: media.offer(await makeImage("color=red:s=1280x720")),
      type: "IMAGE",
    });
    const read = () => call<{ status: string }>(`assets/status?assetId=${assetId}`);
    const isStored = async () => (await read()).status !== "PROCESSING";
    await waitUntil("the asset is stored", isStored, { timeoutMs: endMsMax });
    expect(await read()).toMatchObject({ status: "NONE", width: 1280, height: 720 });
  },
  2 * endMsMax,
);

test(
  "the previous release on the new schema: a video is upscaled",
  async () => {
    const video = pattern({ size: "320x180", rate: 5, seconds: 2 });
    const client = createClient(stack.apiUrl, key);
    const url = media.urlOf(await renderFile(join(dir, "video.mp4"), video));
    const { end } = await client.followUpscale(await client.createUpscaleOf(url));
    expect(end).toMatchObject({ status: "completed", progress: 100 });
  },
  2 * endMsMax,
);

test(
  "beside a worker of this release at the same address, and after it has left, one of the previous release completes tasks",
  async () => {
    const client = createClient(stack.apiUrl, key);
    const finishOne = async (prompt: string) => {
      const taskId = await client.create("sd2", { prompt });
      expect(await client.finished(taskId, endMsMax)).toMatchObject({ status: "COMPLETED" });
    };
    const worker = await stack.startServer({
      role: "worker",
      name: "this-release",
      serverDir: serverPackage,
      isRegistered: true,
      env: front.envOf(1),
    });
    for (const prompt of ["a tern rises", "a tern turns", "a tern lands"]) await finishOne(prompt);
    await worker.stop();
    await finishOne("a tern is gone");
  },
  4 * endMsMax,
);
