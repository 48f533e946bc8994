import { padPng } from "@zoetrope/testkit/pad-file.ts";
import { expect } from "vitest";
import { fails, main, sentence } from "./client.ts";
import { image, reference, storedAsset } from "./files.ts";

const model = "happyhorse";
const megabyte = 1_048_576;
const many = (uri: string, length: number) => Array.from({ length }, () => uri);
const tab = { videoWorkflowTab: "multi-reference" };

/** Whether an image may be the first frame. */
async function takes(file: Buffer, isTaken: boolean): Promise<void> {
  const asset = await storedAsset(main, "IMAGE", file);
  const inputs = { prompt: fails, urls: [`asset://${asset.upstreamAssetId}`] };
  if (isTaken) await main.create(model, inputs);
  else await main.refuse(model, inputs);
}

sentence("4.1 happyhorse prompt", async () => {
  const uri = await reference(main, "IMAGE");
  await main.refuse(model, {});
  await main.refuse(model, { urls: [uri], ...tab });
  await main.create(model, { urls: ["https://example.com/a.png"] });
});
sentence("4.1 happyhorse prompt length", async () => {
  await main.create(model, { prompt: `${fails} ${"a".repeat(6_000)}` });
  await main.create(model, { prompt: `${fails} ${"船".repeat(3_000)}` });
});
sentence("4.1 happyhorse urls", async () => {
  const uri = await reference(main, "IMAGE");
  await main.create(model, { prompt: fails });
  await main.create(model, { prompt: fails, urls: [uri] });
  await main.refuse(model, { prompt: fails, urls: many(uri, 2) });
  for (const count of [1, 9])
    await main.create(model, { prompt: fails, urls: many(uri, count), ...tab });
  await main.refuse(model, { prompt: fails, urls: many(uri, 10), ...tab });
});
sentence("4.1 happyhorse urls forms", async () => {
  for (const uri of ["https://example.com/a.png", await reference(main, "IMAGE")])
    await main.create(model, { prompt: fails, urls: [uri] });
  for (const uri of ["http://example.com/a.png", "https://10.0.0.1/a.png", "a.png"])
    await main.refuse(model, { prompt: fails, urls: [uri] });
});
sentence("4.1 happyhorse videoWorkflowTab", async () => {
  await main.refuse(model, { prompt: fails, ...tab });
  const urls = [await reference(main, "IMAGE")];
  await main.refuse(model, { prompt: fails, urls, videoWorkflowTab: "other" });
});
sentence("4.1 happyhorse duration", async () => {
  for (const duration of ["3", "15", "3s", "15s"])
    await main.create(model, { prompt: fails, duration });
  for (const duration of ["2", "16", "16s"]) await main.refuse(model, { prompt: fails, duration });
  const slow = { prompt: "A boat [sandbox:slow=30] [sandbox:fail]" };
  const { creditsUsed } = await main.task(await main.create(model, slow));
  expect(creditsUsed).toBe(5 * 5);
});
sentence("4.1 happyhorse outputResolution", async () => {
  for (const outputResolution of ["720p", "1080p"])
    await main.create(model, { prompt: fails, outputResolution });
  await main.refuse(model, { prompt: fails, outputResolution: "4k" });
});
sentence("4.1 happyhorse ratio", async () => {
  const made = ["16:9", "9:16", "1:1", "4:3", "3:4"].map(async (ratio) => {
    const inputs = { prompt: "A boat", duration: "3", ratio };
    const end = await main.end(await main.create(model, inputs));
    expect(end, end.error).toMatchObject({ status: "COMPLETED" });
    const [width = 0, height = 0] = ratio.split(":").map(Number);
    expect(end.output[0].width / end.output[0].height).toBeCloseTo(width / height, 1);
  });
  await Promise.all(made);
  await main.refuse(model, { prompt: fails, ratio: "2:1" });
});
sentence("4.1 happyhorse first frame ratio", async () => {
  const asset = await storedAsset(main, "IMAGE", await image(400, 600));
  const urls = [`asset://${asset.upstreamAssetId}`];
  const end = await main.end(await main.create(model, { urls, duration: "3" }));
  expect(end, end.error).toMatchObject({ status: "COMPLETED" });
  expect(end.output[0].width / end.output[0].height).toBeCloseTo(400 / 600, 1);
});
sentence("4.1 happyhorse seed", async () => {
  for (const seed of [0, 2_147_483_647, "", null])
    await main.create(model, { prompt: fails, seed });
  for (const seed of [-1, 2_147_483_648]) await main.refuse(model, { prompt: fails, seed });
});
sentence("4.1 happyhorse pixels", async () => {
  await takes(await image(300, 400), true);
  await takes(await image(299, 400), false);
});
sentence("4.1 happyhorse image ratio", async () => {
  await takes(await image(1_000, 400), true);
  await takes(await image(400, 1_000), true);
  await takes(await image(1_004, 400), false);
  await takes(await image(400, 1_004), false);
});
sentence("4.1 happyhorse formats", async () => {
  for (const codec of ["png", "mjpeg", "bmp", "libwebp"])
    await takes(await image(400, 400, codec), true);
  await takes(await image(400, 400, "gif"), false);
});
sentence("4.1 happyhorse bytes", async () => {
  const file = await image(400, 400);
  await takes(padPng(file, 10 * megabyte), true);
  await takes(padPng(file, 10 * megabyte + 1), false);
});
