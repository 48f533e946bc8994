import { makeHalves } from "@zoetrope/testkit/make-media.ts";
import { serveFile } from "@zoetrope/testkit/serve-files.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { expect } from "vitest";
import { call, fails, main, other, scheduleB, sentence, settings, stays, until } from "./client.ts";
import { nowhere, offer, reference, samples, storedAsset } from "./files.ts";

const https = "https://example.com/a.png";

sentence("0 bodies", async () => {
  const reply = await main.get("/account/credits");
  expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
  const refused = await call("POST", "/jobs/createTask", {
    headers: { authorization: `Bearer ${settings.keys.main}`, "content-type": "application/json" },
    body: "model=sd2",
  });
  expect(refused.status).toBe(400);
  expect(refused.headers.get("content-type")).toMatch(/^application\/json/);
});

sentence("1 one endpoint", async () => {
  const models = ["sd2", "sd2-fast", "happyhorse", "image-pro-2", "image-plus-2"];
  for (const model of models) {
    const taskId = await main.create(model, { prompt: fails });
    expect(await main.task(taskId)).toMatchObject({ taskId, model });
  }
  const refused = await main.refuse("sd3", { prompt: fails });
  expect(refused.body.message).toContain("model");
});

const modes = async (model: string) => {
  const image = await reference(main, "IMAGE");
  await main.create(model, { prompt: fails });
  await main.create(model, { prompt: fails, urls: [image] });
  await main.create(model, { prompt: fails, urls: [image, image], videoInputMode: "keyframe" });
  await main.create(model, {
    prompt: fails,
    urls: [image],
    videoInputMode: "reference",
    resolution: "1280x720",
  });
};

sentence("1 sd2", async () => {
  await modes("sd2");
  await main.create("sd2", { prompt: fails, outputResolution: "1080p" });
});

sentence("1 sd2-fast", async () => {
  await modes("sd2-fast");
  await main.refuse("sd2-fast", { prompt: fails, outputResolution: "1080p" });
});

sentence("1 sd2 audio", async () => {
  for (const model of ["sd2", "sd2-fast"])
    await main.create(model, { prompt: fails, generateAudio: true });
});

sentence("1 happyhorse", async () => {
  const image = await reference(main, "IMAGE");
  await main.create("happyhorse", { prompt: fails });
  await main.create("happyhorse", { prompt: fails, urls: [image] });
  const urls = Array.from({ length: 9 }, () => image);
  await main.create("happyhorse", { prompt: fails, urls, videoWorkflowTab: "multi-reference" });
});

sentence("1 happyhorse less", async () => {
  const [image, video] = [await reference(main, "IMAGE"), await reference(main, "VIDEO")];
  await main.refuse("happyhorse", { prompt: fails, urls: [image, image] });
  await main.refuse("happyhorse", { prompt: fails, videoUrls: [video] });
  await main.refuse("happyhorse", { prompt: fails, audioUrls: [await reference(main, "AUDIO")] });
  await main.refuse("happyhorse", { prompt: fails, generateAudio: true });
});

for (const model of ["image-pro-2", "image-plus-2"] as const)
  sentence(`1 ${model}`, async () => {
    const image = await reference(main, "IMAGE");
    const [ten, eleven] = [10, 11].map((length) => Array.from({ length }, () => image));
    await main.create(model, { prompt: fails });
    await main.create(model, { prompt: fails, urls: [image] });
    await main.create(model, { prompt: fails, urls: ten });
    await main.refuse(model, { prompt: fails, urls: eleven });
  });

sentence("1 poll or webhook", async () => {
  await using receiver = await startReceiver();
  const callBackUrl = receiver.hookUrl;
  const taskId = await main.create("image-plus-2", { prompt: "A boat" }, { callBackUrl });
  expect(await main.end(taskId)).toMatchObject({ status: "COMPLETED" });
  const [callback] = await receiver.arrived(1);
  expect(JSON.parse(callback?.body ?? "")).toMatchObject({ taskId, status: "COMPLETED" });
});

sentence("1 one image", async () => {
  const ends = await Promise.all(
    [1, 2].map(async () => main.end(await main.create("image-pro-2", { prompt: "A boat" }))),
  );
  for (const { output } of ends) expect(output).toHaveLength(1);
  expect(new Set(ends.map(({ output }) => output[0].url)).size).toBe(2);
});

sentence("1 review", async () => {
  const asset = await main.upload({ url: await nowhere(), type: "IMAGE" });
  expect(asset.status).toBe("PROCESSING");
  const urls = [`asset://${asset.upstreamAssetId}`];
  const refused = await main.refuse("sd2", { prompt: fails, urls });
  expect(refused.body.message).toContain("urls[0]");
});

sentence("1 no review", async () => {
  const asset = await storedAsset(main, "IMAGE", await samples.IMAGE());
  expect(["PROCESSING", "ACTIVE", "NONE"]).toContain(asset.status);
  await main.create("happyhorse", { prompt: fails, urls: [`asset://${asset.upstreamAssetId}`] });
});

sentence("1 https images", async () => {
  await main.create("happyhorse", { urls: [https] });
});

/** Uploads an asset whose URL no longer responds once its copy is stored. */
async function goneAfterUpload(file: Buffer) {
  await using server = await serveFile(file);
  const { assetId } = await main.upload({ url: server.url, type: "IMAGE" });
  return await until("the copy is stored", async () => {
    const asset = await main.asset(assetId);
    return asset.size > 0 ? asset : undefined;
  });
}

sentence("1 asset resolves", async () => {
  const asset = await goneAfterUpload(await makeHalves(400, 600));
  const urls = [`asset://${asset.upstreamAssetId}`];
  const end = await main.end(await main.create("happyhorse", { urls, duration: "3" }));
  expect(end, end.error).toMatchObject({ status: "COMPLETED" });
  expect(end.output[0].width / end.output[0].height).toBeCloseTo(400 / 600, 1);
});

sentence("1 credits", async () => {
  const before = await scheduleB.credits();
  const inputs = { prompt: "A boat", resolution: "1k" };
  const { creditsUsed } = await scheduleB.end(await scheduleB.create("image-plus-2", inputs));
  expect(creditsUsed).toBe(15);
  expect((await scheduleB.credits()).credits).toBe(before.credits - creditsUsed);
});

sentence("1 refunds", async () => {
  const video = await other.create("sd2", { prompt: stays, duration: "4s" });
  const held = await other.credits();
  expect(held.credits - held.availableCredits).toBeGreaterThanOrEqual(24);
  const image = await other.create("image-plus-2", { prompt: fails });
  const url = await nowhere();
  const source = { type: "url", url };
  const upscale = await other.createUpscale({ source, targetResolution: "1080p" });
  expect(await other.end(video)).toMatchObject({ status: "FAILED", creditsUsed: 0 });
  expect(await other.end(image)).toMatchObject({ status: "FAILED", creditsUsed: 0 });
  const { status, creditsConsumed } = await other.upscaleEnd(upscale.taskId);
  expect({ status, creditsConsumed }).toEqual({ status: "failed", creditsConsumed: null });
  await until("nothing is held", async () => {
    const now = await other.credits();
    return now.credits === now.availableCredits ? now : undefined;
  });
});

sentence("1 upscaler", async () => {
  const url = await offer(await samples.VIDEO());
  for (const targetResolution of ["1080p", "2k", "4k"])
    await main.createUpscale({ source: { type: "url", url }, targetResolution });
});

sentence("1 balance", async () => {
  const ask = () => main.get("/account/credits");
  const replies = await Promise.all(Array.from({ length: 150 }, ask));
  expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
});
