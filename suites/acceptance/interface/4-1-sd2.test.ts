import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "vitest";
import { fails, main, sentence } from "./client.ts";
import { image, nowhere, reference, reviewedAsset, tone, video } from "./files.ts";

const models = ["sd2", "sd2-fast"] as const;
const run = promisify(execFile);
const many = (uri: string, length: number) => Array.from({ length }, () => uri);
const references = { prompt: fails, videoInputMode: "reference", resolution: "1280x720" };
const uriOf = (asset: { upstreamAssetId: string }) => `asset://${asset.upstreamAssetId}`;

/** Returns ffprobe's output about the streams behind a link. */
async function probe(url: string, ...entries: string[]): Promise<string> {
  const args = ["-v", "error", ...entries, "-of", "csv=p=0", url];
  return (await run("ffprobe", args)).stdout.trim();
}

async function make(model: string, inputs: Readonly<Record<string, unknown>>) {
  const end = await main.end(await main.create(model, { duration: "4s", ...inputs }));
  expect(end, end.error).toMatchObject({ status: "COMPLETED" });
  return end;
}

sentence("4.1 model", async () => {
  expect((await main.post("/jobs/createTask", { inputs: { prompt: fails } })).status).toBe(400);
});
sentence("4.1 inputs", async () => {
  expect((await main.post("/jobs/createTask", { model: "sd2" })).status).toBe(400);
  for (const inputs of ["A boat", ["A boat"], 5])
    expect((await main.post("/jobs/createTask", { model: "sd2", inputs })).status).toBe(400);
});
sentence("4.1 callBackUrl", async () => {
  const callBackUrl = "https://example.com/callback";
  await main.create("sd2", { prompt: fails }, { callBackUrl });
  const body = { model: "sd2", inputs: { prompt: fails }, callBackUrl: "not a URL" };
  expect((await main.post("/jobs/createTask", body)).status).toBe(400);
});
sentence("4.1 response", async () => {
  const reply = await main.post("/jobs/createTask", { model: "sd2", inputs: { prompt: fails } });
  expect(reply.body).toEqual({ taskId: expect.stringMatching(/./) });
});

sentence("4.1 sd2 prompt", async () => {
  for (const model of models) {
    await main.refuse(model, {});
    await main.create(model, { urls: [await nowhere()] });
  }
});
sentence("4.1 sd2 urls first frame", async () => {
  const uri = await reference(main, "IMAGE");
  for (const model of models) {
    await main.create(model, { prompt: fails, urls: [uri] });
    await main.refuse(model, { prompt: fails, urls: many(uri, 3) });
  }
});
sentence("4.1 sd2 urls keyframe", async () => {
  const uri = await reference(main, "IMAGE");
  const keyframe = { prompt: fails, videoInputMode: "keyframe" };
  for (const model of models) {
    await main.create(model, { ...keyframe, urls: many(uri, 2) });
    for (const count of [1, 3]) await main.refuse(model, { ...keyframe, urls: many(uri, count) });
  }
});
sentence("4.1 sd2 urls reference", async () => {
  const uri = await reference(main, "IMAGE");
  for (const model of models) {
    await main.create(model, { ...references, urls: many(uri, 9) });
    await main.refuse(model, { ...references, urls: many(uri, 10) });
  }
});
sentence("4.1 sd2 urls forms", async () => {
  for (const uri of [await nowhere(), await reference(main, "IMAGE")])
    for (const model of models) await main.create(model, { prompt: fails, urls: [uri] });
  await main.refuse("sd2", { prompt: fails, urls: ["ftp://example.com/a.png"] });
  await main.refuse("sd2", { prompt: fails, urls: ["asset://asset-20260101-unknown"] });
});
sentence("4.1 sd2 videoUrls", async () => {
  const uri = await reference(main, "VIDEO");
  for (const model of models) {
    await main.create(model, { ...references, videoUrls: many(uri, 3) });
    await main.refuse(model, { ...references, videoUrls: many(uri, 4) });
    await main.refuse(model, { prompt: fails, videoUrls: [uri] });
  }
});
sentence("4.1 sd2 videoUrls forms", async () => {
  const videoUrls = ["https://example.com/video.mp4"];
  for (const model of models) await main.refuse(model, { ...references, videoUrls });
});
sentence("4.1 sd2 videoUrls seconds", async () => {
  const [fits, long] = await Promise.all(
    [15, 15.2].map(async (seconds) => reviewedAsset(main, "VIDEO", await video(seconds))),
  );
  await main.create("sd2", { ...references, videoUrls: [uriOf(fits)] });
  await main.refuse("sd2", { ...references, videoUrls: [uriOf(long)] });
});
sentence("4.1 sd2 audioUrls", async () => {
  const urls = [await reference(main, "IMAGE")];
  const uri = await reference(main, "AUDIO");
  for (const model of models) {
    await main.create(model, { ...references, urls, audioUrls: many(uri, 3) });
    await main.refuse(model, { ...references, urls, audioUrls: many(uri, 4) });
    await main.refuse(model, { prompt: fails, urls, audioUrls: [uri] });
  }
});
sentence("4.1 sd2 audioUrls seconds", async () => {
  const urls = [await reference(main, "IMAGE")];
  const [fits, long] = await Promise.all(
    [14.9, 15.4].map(async (seconds) => reviewedAsset(main, "AUDIO", await tone(seconds))),
  );
  await main.create("sd2", { ...references, urls, audioUrls: [uriOf(fits)] });
  await main.refuse("sd2", { ...references, urls, audioUrls: [uriOf(long)] });
});
sentence("4.1 sd2 audioUrls alone", async () => {
  const audioUrls = [await reference(main, "AUDIO")];
  for (const model of models) await main.refuse(model, { ...references, audioUrls });
});
sentence("4.1 sd2 videoInputMode", async () => {
  const uri = await reference(main, "IMAGE");
  for (const model of models) {
    await main.create(model, { prompt: fails, urls: many(uri, 2) });
    await main.refuse(model, { prompt: fails, urls: [uri], videoInputMode: "other" });
  }
});
sentence("4.1 sd2 videoInputMode reference", async () => {
  const [uri, video] = [await reference(main, "IMAGE"), await reference(main, "VIDEO")];
  const { videoInputMode: _, ...without } = references;
  for (const model of models) {
    for (const files of [{ urls: many(uri, 3) }, { videoUrls: [video] }]) {
      await main.create(model, { ...references, ...files });
      await main.refuse(model, { ...without, ...files });
    }
  }
});
sentence("4.1 sd2 duration", async () => {
  for (const model of models) {
    for (const duration of ["4s", "15s"]) await main.create(model, { prompt: fails, duration });
    for (const duration of ["3s", "16s", "4.5s", "long"])
      await main.refuse(model, { prompt: fails, duration });
  }
  const slow = { prompt: "A boat [sandbox:slow=30] [sandbox:fail]" };
  const usual = await main.task(await main.create("sd2", slow));
  const five = await main.task(await main.create("sd2", { ...slow, duration: "5s" }));
  expect(usual.creditsUsed).toBe(five.creditsUsed);
});
sentence("4.1 sd2 resolution", async () => {
  const urls = [await reference(main, "IMAGE")];
  const { resolution: _, ...without } = references;
  await main.refuse("sd2", { ...without, urls });
  for (const resolution of ["720x720", "720x960", "960x720", "1280x720", "720x1280", "1280x540"])
    await main.create("sd2", { ...references, urls, resolution });
  await main.refuse("sd2", { ...references, urls, resolution: "640x360" });
});
sentence("4.1 sd2 resolution ratio", async () => {
  const { output } = await make("sd2-fast", { prompt: "A boat", resolution: "720x1280" });
  expect(output[0].width / output[0].height).toBeCloseTo(9 / 16, 1);
});
sentence("4.1 sd2 outputResolution", async () => {
  for (const model of models) await main.create(model, { prompt: fails, outputResolution: "720p" });
  await main.create("sd2", { prompt: fails, outputResolution: "1080p" });
  await main.refuse("sd2-fast", { prompt: fails, outputResolution: "1080p" });
  await main.refuse("sd2", { prompt: fails, outputResolution: "480p" });
  const { output } = await make("sd2", { prompt: "A boat" });
  expect(Math.min(output[0].width, output[0].height)).toBe(720);
});
sentence("4.1 sd2 upscaleResolution", async () => {
  for (const model of models)
    for (const upscaleResolution of ["1080p", "2k", "4k"])
      await main.create(model, { prompt: fails, upscaleResolution });
  await main.refuse("sd2", { prompt: fails, upscaleResolution: "8k" });
});
sentence("4.1 sd2 seed", async () => {
  for (const seed of [-1, 0, 2_147_483_647]) await main.create("sd2", { prompt: fails, seed });
  for (const seed of [-2, 2_147_483_648, 1.5, "one"])
    await main.refuse("sd2", { prompt: fails, seed });
});
sentence("4.1 sd2 same seed", async () => {
  const inputs = { prompt: "A lighthouse in the fog", seed: 7 };
  const hashes = await Promise.all(
    [1, 2].map(async () => {
      const { output } = await make("sd2-fast", inputs);
      const args = ["-v", "error", "-i", output[0].url, "-frames:v", "10", "-f", "md5", "-"];
      return (await run("ffmpeg", args)).stdout;
    }),
  );
  expect(hashes[0]).toMatch(/^MD5=/);
  expect(hashes[1]).toBe(hashes[0]);
});
sentence("4.1 sd2 generateAudio", async () => {
  const [usual, silent] = await Promise.all([
    make("sd2", { prompt: "A boat" }),
    make("sd2", { prompt: "A boat", generateAudio: false }),
  ]);
  const types = ["-show_entries", "stream=codec_type"];
  expect(await probe(usual.output[0].url, ...types)).toContain("audio");
  expect(await probe(silent.output[0].url, ...types)).not.toContain("audio");
});
sentence("4.1 reference total", async () => {
  const [still, clip, sound] = await Promise.all([
    reference(main, "IMAGE"),
    reference(main, "VIDEO"),
    reference(main, "AUDIO"),
  ]);
  const videoUrls = many(clip, 3);
  await main.create("sd2", { ...references, urls: many(still, 9), videoUrls });
  const audioUrls = [sound];
  await main.refuse("sd2", { ...references, urls: many(still, 9), videoUrls, audioUrls });
});
sentence("4.1 reference pixels", async () => {
  const [fits, small] = await Promise.all(
    [400, 399].map(async (side) => reviewedAsset(main, "IMAGE", await image(side, 500))),
  );
  await main.create("sd2", { ...references, urls: [uriOf(fits)] });
  await main.refuse("sd2", { ...references, urls: [uriOf(small)] });
});
