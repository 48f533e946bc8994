import { padPng } from "@zoetrope/testkit/pad-file.ts";
import { expect } from "vitest";
import { fails, main, sentence } from "./client.ts";
import { image, reference, storedAsset } from "./files.ts";

const models = ["image-pro-2", "image-plus-2"] as const;
const megabyte = 1_048_576;
const ratiosOfBoth = ["1:1", "16:9", "9:16", "4:3", "3:4"];

/** Whether an image may be edited. */
async function takes(file: Buffer, isTaken: boolean): Promise<void> {
  const asset = await storedAsset(main, "IMAGE", file);
  const inputs = { prompt: fails, urls: [`asset://${asset.upstreamAssetId}`] };
  for (const model of models)
    if (isTaken) await main.create(model, inputs);
    else await main.refuse(model, inputs);
}

async function make(model: string, inputs: Readonly<Record<string, unknown>>) {
  const end = await main.end(await main.create(model, { prompt: "A boat", ...inputs }));
  expect(end, end.error).toMatchObject({ status: "COMPLETED" });
  return end;
}

sentence("4.1 image prompt", async () => {
  for (const model of models) {
    await main.refuse(model, {});
    await main.refuse(model, { urls: [await reference(main, "IMAGE")] });
  }
});
sentence("4.1 image urls", async () => {
  const urls = [await reference(main, "IMAGE")];
  for (const model of models) {
    await make(model, { resolution: "1k" });
    await make(model, { resolution: "1k", urls });
  }
});
sentence("4.1 image urls forms", async () => {
  for (const model of models) {
    await main.create(model, { prompt: fails, urls: ["https://example.com/a.png"] });
    for (const uri of ["http://example.com/a.png", "https://192.168.0.1/a.png"])
      await main.refuse(model, { prompt: fails, urls: [uri] });
  }
});
sentence("4.1 image-pro-2 quality", async () => {
  for (const quality of ["medium", "high"])
    await main.create("image-pro-2", { prompt: fails, quality });
  await main.refuse("image-pro-2", { prompt: fails, quality: "low" });
  const usual = await make("image-pro-2", { resolution: "1k" });
  expect(usual.creditsUsed).toBe(3);
});
sentence("4.1 image-plus-2 quality", async () => {
  await main.refuse("image-plus-2", { prompt: fails, quality: "medium" });
});
sentence("4.1 image resolution", async () => {
  for (const model of models) {
    for (const resolution of ["1k", "2k", "4k"])
      await main.create(model, { prompt: fails, resolution });
    await main.refuse(model, { prompt: fails, resolution: "8k" });
    expect((await make(model, {})).creditsUsed).toBe(6);
  }
});
sentence("4.1 image-pro-2 aspectRatio", async () => {
  for (const aspectRatio of ratiosOfBoth)
    await main.create("image-pro-2", { prompt: fails, aspectRatio });
  for (const aspectRatio of ["3:2", "21:9", "2:1"])
    await main.refuse("image-pro-2", { prompt: fails, aspectRatio });
  const { output } = await make("image-pro-2", { resolution: "1k" });
  expect(output[0].width).toBe(output[0].height);
});
sentence("4.1 image-plus-2 aspectRatio", async () => {
  for (const aspectRatio of [...ratiosOfBoth, "3:2", "2:3", "4:5", "5:4", "21:9"])
    await main.create("image-plus-2", { prompt: fails, aspectRatio });
  await main.refuse("image-plus-2", { prompt: fails, aspectRatio: "2:1" });
  const { output } = await make("image-plus-2", { resolution: "1k", aspectRatio: "3:2" });
  expect(output[0].width / output[0].height).toBeCloseTo(1.5, 1);
});
sentence("4.1 image-pro-2 outputFormat", async () => {
  const heads = { png: "\x89PNG", jpeg: "\xff\xd8\xff", webp: "RIFF" } as const;
  for (const [outputFormat, head] of [[undefined, heads.png], ...Object.entries(heads)]) {
    const { output } = await make("image-pro-2", { resolution: "1k", outputFormat });
    const bytes = Buffer.from(await (await fetch(output[0].url)).arrayBuffer());
    expect(bytes.toString("latin1", 0, head?.length)).toBe(head);
  }
  await main.refuse("image-pro-2", { prompt: fails, outputFormat: "gif" });
});
sentence("4.1 image-plus-2 outputFormat", async () => {
  await main.refuse("image-plus-2", { prompt: fails, outputFormat: "png" });
});
sentence("4.1 image reference bytes", async () => {
  const file = await image(400, 400);
  await takes(padPng(file, 50 * megabyte), true);
  await takes(padPng(file, 50 * megabyte + 1), false);
});
sentence("4.1 image reference pixels", async () => {
  await takes(await image(256, 300), true);
  await takes(await image(255, 300), false);
});
sentence("4.1 image reference ratio", async () => {
  await takes(await image(900, 300), true);
  await takes(await image(300, 900), true);
  await takes(await image(904, 300), false);
  await takes(await image(300, 904), false);
});
sentence("4.1 image reference formats", async () => {
  for (const codec of ["png", "mjpeg", "libwebp"]) await takes(await image(400, 400, codec), true);
  await takes(await image(400, 400, "bmp"), false);
});
