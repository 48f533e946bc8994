import { expect } from "vitest";
import { fails, main, sentence, settings } from "./client.ts";
import { expectStatuses, nowhere, offer, reviewedAsset, samples, type Type } from "./files.ts";

/** Tasks that several sentences look at, made once. */
const once = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};
const completed = once(async () => {
  const taskId = await main.create("image-plus-2", { prompt: "A boat", resolution: "1k" });
  return await main.end(taskId);
});
const failed = once(async () => await main.end(await main.create("sd2", { prompt: fails })));
const image = once(() => listed("IMAGE"));
const video = once(() => listed("VIDEO"));
const audio = once(() => listed("AUDIO"));
const upscaled = once(() => upscale(settings.videoUrl ?? ""));
const notUpscaled = once(async () => await upscale(await nowhere()));

async function listed(type: Type) {
  const file = await samples[type]();
  const { assetId } = await reviewedAsset(main, type, file);
  const { items } = await main.list(`?type=${type}&limit=50`);
  const asset = items.find((item: { assetId: number }) => item.assetId === assetId);
  return { asset, file };
}

async function upscale(url: string) {
  const source = { type: "url", url };
  const created = await main.createUpscale({ source, targetResolution: "1080p" });
  return { created, end: await main.upscaleEnd(created.taskId) };
}

const isRecent = (time: number) => expect(Math.abs(Date.now() - time)).toBeLessThan(600_000);

sentence("2.1 taskId", async () => expect((await completed()).taskId).toMatch(/./));
sentence("2.1 model", async () => {
  expect((await completed()).model).toBe("image-plus-2");
  expect((await failed()).model).toBe("sd2");
});
sentence("2.1 status", async () => {
  const taskId = await main.create("sd2", { prompt: fails });
  expect(["PENDING", "PROCESSING", "FAILED"]).toContain((await main.task(taskId)).status);
  expect((await completed()).status).toBe("COMPLETED");
  expect((await failed()).status).toBe("FAILED");
});
sentence("2.1 creditsUsed", async () => expect((await completed()).creditsUsed).toBe(3));
sentence("2.1 output", async () => {
  const { output } = await completed();
  expect(output).toMatchObject([
    { url: expect.stringMatching(/^https?:/), width: expect.any(Number) },
  ]);
  expect(Number.isInteger(output[0].width) && Number.isInteger(output[0].height)).toBe(true);
  expect((await fetch(output[0].url)).status).toBe(200);
  expect((await failed()).output).toBeNull();
  const open = await main.create("sd2", { prompt: "A boat [sandbox:slow=20] [sandbox:fail]" });
  expect((await main.task(open)).output).toBeNull();
});
sentence("2.1 error", async () => {
  expect((await failed()).error).toMatch(/./);
  expect((await completed()).error).toBeNull();
});
sentence("2.1 createTime", async () => isRecent((await completed()).createTime));
sentence("2.1 completeTime", async () => {
  const { createTime, completeTime } = await completed();
  isRecent(completeTime);
  expect(completeTime).toBeGreaterThanOrEqual(createTime);
});

sentence("2.2 assetId", async () => {
  expect(Number.isInteger((await image()).asset.assetId)).toBe(true);
});
sentence("2.2 upstreamAssetId", async () => {
  const { upstreamAssetId } = (await image()).asset;
  expect(upstreamAssetId).toMatch(/^asset-\d{8,}-[0-9A-Za-z]+$/);
  await main.create("sd2", { prompt: fails, urls: [`asset://${upstreamAssetId}`] });
});
sentence("2.2 type", async () => {
  expect((await image()).asset.type).toBe("IMAGE");
  expect((await video()).asset.type).toBe("VIDEO");
  expect((await audio()).asset.type).toBe("AUDIO");
});
sentence("2.2 status", async () => {
  expect((await image()).asset.status).toBe("ACTIVE");
  await expectStatuses(main);
});
sentence("2.2 url", async () => {
  const url = await offer(await samples.IMAGE());
  expect((await main.upload({ url, type: "IMAGE" })).url).toBe(url);
});
sentence("2.2 name", async () => {
  const url = await nowhere();
  const name = "ä".repeat(64);
  expect((await main.upload({ url, type: "IMAGE", name })).name).toBe(name);
});
sentence("2.2 createdAt", async () => isRecent((await image()).asset.createdAt));
sentence("2.2 width and height", async () => {
  expect((await image()).asset).toMatchObject({ width: 400, height: 400 });
  expect((await video()).asset).toMatchObject({ width: 854, height: 480 });
});
sentence("2.2 size", async () => {
  const { asset, file } = await image();
  expect(asset.size).toBe(file.length);
});
sentence("2.2 duration", async () => {
  expect((await image()).asset.duration).toBeNull();
  expect((await video()).asset.duration).toBeCloseTo(2.2, 0);
});

sentence("2.3 taskId", async () => {
  const { created, end } = await upscaled();
  expect(end.taskId).toBe(created.taskId);
});
sentence("2.3 orderId", async () => expect((await upscaled()).created.orderId).toMatch(/./));
sentence("2.3 status", async () => {
  expect((await upscaled()).end.status).toBe("completed");
  expect((await notUpscaled()).end.status).toBe("failed");
});
sentence("2.3 targetResolution", async () => {
  expect((await upscaled()).end.targetResolution).toBe("1080p");
});
sentence("2.3 creditsConsumed", async () => {
  expect(Number.isInteger((await upscaled()).end.creditsConsumed)).toBe(true);
  expect((await notUpscaled()).end.creditsConsumed).toBeNull();
});
sentence("2.3 result", async () => {
  expect((await upscaled()).end.result).toMatchObject({
    url: expect.stringMatching(/^https?:/),
    probedDurationSeconds: expect.any(Number),
    probedSourceResolution: expect.stringMatching(/^\d+x\d+$/),
  });
  expect((await notUpscaled()).end.result).toBeNull();
});
sentence("2.3 error", async () => {
  expect((await upscaled()).end.error).toBeNull();
  const { error } = (await notUpscaled()).end;
  expect(error).toMatchObject({ code: expect.any(String), message: expect.stringMatching(/./) });
});
sentence("2.3 times", async () => {
  const { createdAt, finishedAt } = (await upscaled()).end;
  for (const time of [createdAt, finishedAt]) {
    expect(time).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
    isRecent(Date.parse(time));
  }
});

sentence("2.4 credits", async () => {
  const { credits, availableCredits } = await main.credits();
  expect([credits, availableCredits].every(Number.isInteger)).toBe(true);
});
