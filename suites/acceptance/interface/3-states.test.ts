import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { expect } from "vitest";
import { fails, main, sentence, settings, until } from "./client.ts";
import { nowhere, offer, reviewedAsset, samples } from "./files.ts";

sentence("3.1 terminal", async () => {
  const taskId = await main.create("sd2", { prompt: fails });
  const end = await main.end(taskId);
  expect(await main.task(taskId)).toEqual(end);
  const image = await main.end(await main.create("image-plus-2", { prompt: "A boat" }));
  expect(await main.task(image.taskId)).toEqual(image);
});

sentence("3.2 accepted", async () => {
  const url = await offer(await samples.IMAGE());
  const { assetId, status } = await main.upload({ url, type: "IMAGE" });
  expect(status).toBe("PROCESSING");
  await until("the review is over", async () =>
    (await main.asset(assetId)).status === "PROCESSING" ? undefined : true,
  );
});

sentence("3.2 passed", async () => {
  const asset = await reviewedAsset(main, "IMAGE", await samples.IMAGE());
  expect(asset.status).toBe("ACTIVE");
  await main.create("sd2", { prompt: fails, urls: [`asset://${asset.upstreamAssetId}`] });
});

sentence("3.2 checks", async () => {
  const url = await offer(await samples.AUDIO());
  const { assetId } = await main.upload({ url, type: "AUDIO" });
  await until("a status query shows the new state", async () =>
    (await main.asset(assetId)).status === "ACTIVE" ? true : undefined,
  );
});

sentence("3.2 NONE", async () => {
  expect((await main.list("?status=NONE")).items).toEqual(expect.any(Array));
  expect((await main.get("/assets/list?status=OTHER")).status).toBe(400);
});

sentence("3.3 create", async () => {
  const source = { type: "url", url: await nowhere() };
  const created = await main.createUpscale({ source, targetResolution: "1080p" });
  expect(created.status).toBe("validating");
});

sentence("3.3 processing", async () => {
  // The longer the source, the longer it is processing: a poller sees it.
  const source = { type: "url", url: settings.videoUrl };
  const { taskId } = await main.createUpscale({ source, targetResolution: "4k" });
  const seen = new Set<string>();
  await until("the upscale is over", async () => {
    const { status } = await main.upscale(taskId);
    seen.add(status);
    return ["completed", "failed"].includes(status) ? true : undefined;
  });
  expect([...seen]).toEqual(expect.arrayContaining(["processing", "completed"]));
});

sentence("3.3 completed", async () => {
  await using receiver = await startReceiver();
  const source = { type: "url", url: settings.videoUrl };
  const callBackUrl = receiver.hookUrl;
  const body = { source, targetResolution: "1080p", callBackUrl };
  const { taskId } = await main.createUpscale(body);
  const end = await main.upscaleEnd(taskId);
  expect(end).toMatchObject({ status: "completed", creditsConsumed: expect.any(Number) });
  const video = await fetch(end.result.url);
  expect(video.status).toBe(200);
  await video.body?.cancel();
  const [callback] = await receiver.arrived(1);
  expect(JSON.parse(callback?.body ?? "")).toMatchObject({ taskId, status: "completed" });
});

sentence("3.3 failed", async () => {
  await using receiver = await startReceiver();
  const source = { type: "url", url: await nowhere() };
  const callBackUrl = receiver.hookUrl;
  const body = { source, targetResolution: "1080p", callBackUrl };
  const { taskId } = await main.createUpscale(body);
  expect(await main.upscaleEnd(taskId)).toMatchObject({
    status: "failed",
    creditsConsumed: null,
    error: { message: expect.stringMatching(/./) },
  });
  const [callback] = await receiver.arrived(1);
  expect(JSON.parse(callback?.body ?? "")).toMatchObject({ taskId, status: "failed" });
});
