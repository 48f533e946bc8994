import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Inputs } from "@zoetrope/testkit/api-client.ts";
import { makeHalves } from "@zoetrope/testkit/make-media.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { describe, expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { reviewedAsset } from "../src/library.ts";

const prompt = "A lighthouse in fog, woodcut";
const codecs: Readonly<Record<string, string>> = { png: "png", jpeg: "mjpeg", webp: "webp" };

async function makeImage(model: string, inputs: Inputs) {
  const { end } = await main.follow(await main.create(model, { prompt, ...inputs }));
  expect(end, end.error ?? "").toMatchObject({ status: "COMPLETED", error: null });
  expect(end.output, "exactly 1 image").toHaveLength(1);
  const [image] = end.output ?? [];
  if (image === undefined) throw new Error("completed without an image");
  const response = await fetch(image.url);
  expect(response.status).toBe(200);
  await using scratch = await makeScratch("image");
  const path = join(scratch.path, "image");
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  const { width, height, video: codec } = await probeVideo(path);
  expect({ width, height }).toEqual({ width: image.width, height: image.height });
  return { end, image, codec, contentType: response.headers.get("content-type") };
}

describe.runIf(settings.hasSandbox).concurrent("images", () => {
  for (const outputFormat of ["png", "jpeg", "webp"])
    test(`§4.1 image-pro-2 with outputFormat ${outputFormat} makes one ${outputFormat} of the width and height it says, for 3 credits`, async () => {
      const { end, codec, contentType } = await makeImage("image-pro-2", {
        outputFormat,
        resolution: "1k",
      });
      expect(contentType).toBe(`image/${outputFormat}`);
      expect(codec).toBe(codecs[outputFormat]);
      expect(end.creditsUsed).toBe(3);
    });

  for (const [aspectRatio, ratio] of [
    ["16:9", 16 / 9],
    ["4:5", 4 / 5],
  ] as const)
    test(`§4.1 image-plus-2 makes one image in ${aspectRatio}, for 3 credits`, async () => {
      const inputs = { aspectRatio, resolution: "1k" };
      const { end, image, contentType } = await makeImage("image-plus-2", inputs);
      expect(contentType).toMatch(/^image\/(png|jpeg|webp)$/);
      expect(image.width / image.height).toBeCloseTo(ratio, 1);
      expect(end.creditsUsed).toBe(3);
    });

  for (const model of ["image-pro-2", "image-plus-2"])
    test(`§4.1 ${model} edits a reference image that is an asset`, async () => {
      const { uri } = await reviewedAsset(main, "IMAGE", await makeHalves(400, 300));
      const { end } = await makeImage(model, { urls: [uri], resolution: "1k" });
      expect(end.creditsUsed).toBe(3);
    });
});
