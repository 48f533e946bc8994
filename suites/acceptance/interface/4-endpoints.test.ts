import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { expect } from "vitest";
import { call, fails, main, other, sentence, settings } from "./client.ts";
import { expectStatuses, nowhere, offer, reference, samples, storedAsset } from "./files.ts";

const unknownId = "00000000-0000-7000-8000-000000000000";

sentence("4 key", async () => {
  for (const [method, path] of [
    ["POST", "/jobs/createTask"],
    ["GET", `/jobs/queryTask?taskId=${unknownId}`],
    ["GET", "/account/credits"],
    ["POST", "/assets/upload"],
    ["GET", "/assets/status?assetId=1"],
    ["GET", "/assets/list"],
    ["POST", "/upscale/create"],
    ["GET", `/upscale/query?taskId=${unknownId}`],
  ] as const)
    expect((await call(method, path)).status, path).toBe(401);
});

sentence("4.2 task", async () => {
  const taskId = await main.create("sd2", { prompt: fails });
  expect(Object.keys(await main.task(taskId))).toEqual(
    expect.arrayContaining([
      "taskId",
      "model",
      "status",
      "creditsUsed",
      "output",
      "error",
      "createTime",
      "completeTime",
    ]),
  );
});
sentence("4.2 403", async () => {
  const taskId = await main.create("sd2", { prompt: fails });
  expect((await other.get(`/jobs/queryTask?taskId=${taskId}`)).status).toBe(403);
});
sentence("4.2 404", async () => {
  expect((await main.get(`/jobs/queryTask?taskId=${unknownId}`)).status).toBe(404);
});
sentence("4.3 credits", async () => {
  const { credits, availableCredits } = await other.credits();
  expect(credits).toBeGreaterThanOrEqual(availableCredits);
});

sentence("4.4 url", async () => {
  expect((await main.post("/assets/upload", { type: "IMAGE" })).status).toBe(400);
  const body = { url: "not a URL", type: "IMAGE" };
  expect((await main.post("/assets/upload", body)).status).toBe(400);
});
sentence("4.4 type", async () => {
  const url = await nowhere();
  for (const type of ["IMAGE", "AUDIO", "VIDEO"])
    expect((await main.upload({ url, type })).type).toBe(type);
  for (const body of [{ url }, { url, type: "image" }, { url, type: "FILE" }])
    expect((await main.post("/assets/upload", body)).status).toBe(400);
});
sentence("4.4 name", async () => {
  const body = { url: await nowhere(), type: "IMAGE" };
  expect((await main.upload(body)).name ?? null).toBeNull();
  expect((await main.upload({ ...body, name: "boat" })).name).toBe("boat");
  const long = { ...body, name: "a".repeat(65) };
  expect((await main.post("/assets/upload", long)).status).toBe(400);
});
sentence("4.4 response", async () => {
  const url = await offer(await samples.IMAGE());
  expect(await main.upload({ url, type: "IMAGE", name: "boat" })).toMatchObject({
    assetId: expect.any(Number),
    upstreamAssetId: expect.stringMatching(/^asset-/),
    type: "IMAGE",
    status: "PROCESSING",
    failReason: null,
    url,
    name: "boat",
    createdAt: expect.any(Number),
  });
});
sentence("4.5 ids", async () => {
  const { assetId, upstreamAssetId } = await main.upload({ url: await nowhere(), type: "IMAGE" });
  expect((await main.asset(assetId)).upstreamAssetId).toBe(upstreamAssetId);
  expect((await main.asset(upstreamAssetId)).assetId).toBe(assetId);
});
sentence("4.5 response", async () => {
  const { assetId, upstreamAssetId } = await main.upload({ url: await nowhere(), type: "IMAGE" });
  const asset = await main.asset(assetId);
  expect(asset).toMatchObject({ status: expect.any(String), upstreamAssetId });
  expect(asset).toHaveProperty("failReason");
});
sentence("4.6 type", async () => {
  for (const type of ["IMAGE", "AUDIO", "VIDEO"]) {
    await main.upload({ url: await nowhere(), type });
    const { items } = await main.list(`?type=${type}`);
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) expect(item.type).toBe(type);
  }
  expect((await main.get("/assets/list?type=FILE")).status).toBe(400);
});
sentence("4.6 status", async () => {
  await reference(main, "IMAGE"); // it is ACTIVE
  await expectStatuses(main);
});
sentence("4.6 cursor", async () => {
  const url = await nowhere();
  for (const name of ["first", "second", "third"]) await main.upload({ url, type: "IMAGE", name });
  const first = await main.list("?type=IMAGE&limit=2");
  const second = await main.list(`?type=IMAGE&limit=2&cursor=${first.nextCursor}`);
  const ids = [...first.items, ...second.items].map((item: { assetId: number }) => item.assetId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.min(ids[0] ?? 0, ids[1] ?? 0)).toBeGreaterThan(ids[2] ?? 0);
});
sentence("4.6 limit", async () => {
  const url = await nowhere();
  for (let made = 0; made < 21; made++) await main.upload({ url, type: "IMAGE" });
  expect((await main.list("?limit=1")).items).toHaveLength(1);
  expect((await main.list()).items).toHaveLength(20);
  await main.list("?limit=50");
  for (const limit of ["0", "51", "many"])
    expect((await main.get(`/assets/list?limit=${limit}`)).status, limit).toBe(400);
});
sentence("4.6 response", async () => {
  await main.upload({ url: await nowhere(), type: "IMAGE" });
  await main.upload({ url: await nowhere(), type: "IMAGE" });
  const page = await main.list("?limit=1");
  expect(page).toEqual({ items: [expect.any(Object)], nextCursor: expect.any(Number) });
});

const create = (body: Readonly<Record<string, unknown>>) => main.post("/upscale/create", body);
const target = { targetResolution: "1080p" };

sentence("4.7 source.type", async () => {
  const url = "https://example.com/video.mp4";
  for (const source of [{ url }, { type: "file", url }, undefined])
    expect((await create({ source, ...target })).status).toBe(400);
  await main.createUpscale({ source: { type: "url", url }, ...target });
});
sentence("4.7 source.url", async () => {
  expect((await create({ source: { type: "url" }, ...target })).status).toBe(400);
  for (const url of [
    "http://example.com/video.mp4",
    "https://10.0.0.1/video.mp4",
    "https://192.168.1.1/video.mp4",
    "https://169.254.169.254/video.mp4",
    "https://[fd00::1]/video.mp4",
  ])
    expect((await create({ source: { type: "url", url }, ...target })).status, url).toBe(400);
});
sentence("4.7 source.storageUrl", async () => {
  const { storageUrl } = await storedAsset(main, "VIDEO", await samples.VIDEO());
  const source = { type: "uploadId", storageUrl };
  const { taskId } = await main.createUpscale({ source, ...target });
  expect(await main.upscaleEnd(taskId)).toMatchObject({ status: "completed" });
  expect((await create({ source: { type: "uploadId" }, ...target })).status).toBe(400);
  expect((await other.post("/upscale/create", { source, ...target })).status).toBe(400);
});
sentence("4.7 targetResolution", async () => {
  const source = { type: "url", url: "https://example.com/video.mp4" };
  for (const targetResolution of ["1080p", "2k", "4k"])
    await main.createUpscale({ source, targetResolution });
  expect((await create({ source })).status).toBe(400);
  expect((await create({ source, targetResolution: "720p" })).status).toBe(400);
});
sentence("4.7 higher", async () => {
  const source = { type: "url", url: settings.videoUrl };
  const { taskId } = await main.createUpscale({ source, ...target });
  const { result } = await main.upscaleEnd(taskId);
  const again = { type: "url", url: result.url };
  const refused = await create({ source: again, ...target });
  // An own output is known at once; any other source is looked at in the task.
  const code =
    refused.status === 400
      ? refused.body.code
      : (await main.upscaleEnd(refused.body.taskId)).error.code;
  expect(code).toBe("SOURCE_RESOLUTION_TOO_HIGH");
});
sentence("4.7 callBackUrl", async () => {
  await using receiver = await startReceiver();
  const source = { type: "url", url: await nowhere() };
  const body = { source, ...target, callBackUrl: receiver.hookUrl };
  const { taskId } = await main.createUpscale(body);
  await receiver.arrived(1);
  expect(await main.upscaleEnd(taskId)).toMatchObject({ status: "failed" });
  expect(receiver.received).toHaveLength(1);
});
sentence("4.7 response", async () => {
  const source = { type: "url", url: "https://example.com/video.mp4" };
  expect(await main.createUpscale({ source, ...target })).toEqual({
    taskId: expect.stringMatching(/./),
    orderId: expect.stringMatching(/./),
    status: "validating",
  });
});
sentence("4.8 task", async () => {
  const source = { type: "url", url: await nowhere() };
  const { taskId } = await main.createUpscale({ source, ...target });
  expect(Object.keys(await main.upscale(taskId))).toEqual(
    expect.arrayContaining([
      "taskId",
      "status",
      "targetResolution",
      "creditsConsumed",
      "result",
      "error",
      "createdAt",
      "finishedAt",
    ]),
  );
});
