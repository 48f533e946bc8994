import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Inputs } from "@zoetrope/testkit/api-client.ts";
import { makeHalves } from "@zoetrope/testkit/make-media.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { describe, expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { reviewedAsset } from "../src/library.ts";

async function makeVideo(inputs: Inputs) {
  const { end } = await main.follow(await main.create("happyhorse", { duration: "3", ...inputs }));
  expect(end, end.error ?? "").toMatchObject({ status: "COMPLETED", creditsUsed: 15 });
  const [video] = end.output ?? [];
  if (video === undefined) throw new Error("completed without a video");
  await using scratch = await makeScratch("video");
  const path = join(scratch.path, "video.mp4");
  await writeFile(path, Buffer.from(await (await fetch(video.url)).arrayBuffer()));
  const { width, height, seconds } = await probeVideo(path);
  expect({ width, height }).toEqual({ width: video.width, height: video.height });
  expect(seconds).toBeCloseTo(3, 0);
  return { end, video };
}

async function imageOf(width: number, height: number, codec?: string): Promise<string> {
  return (await reviewedAsset(main, "IMAGE", await makeHalves(width, height, codec))).uri;
}

describe.runIf(settings.hasSandbox).concurrent("happyhorse", () => {
  test("§4.1 text-to-video: the ratio is that of the video; a prompt beyond the limit is cut, and the task says so", async () => {
    const prompt = `A horse ${"runs ".repeat(1_200)}`;
    const { end, video } = await makeVideo({ prompt, ratio: "9:16" });
    expect(video.width / video.height).toBeCloseTo(9 / 16, 1);
    expect(end.notes).toEqual([
      { param: "inputs.prompt", message: expect.stringContaining("after 5000 characters") },
    ]);
  });

  for (const format of ["png", "bmp"])
    test(`§4.1 image-to-video takes its aspect from a first frame in ${format}, from 300 px on`, async () => {
      const { video } = await makeVideo({ urls: [await imageOf(300, 400, format)] });
      expect(video.width / video.height).toBeCloseTo(3 / 4, 1);
    });

  test("§4.1 reference-to-video takes images of 300 px at 1:2.5, and BMP", async () => {
    const urls = await Promise.all([imageOf(300, 750), imageOf(750, 300, "bmp")]);
    await makeVideo({
      prompt: "character1 meets character2",
      urls,
      ratio: "1:1",
      videoWorkflowTab: "multi-reference",
    });
  });
});
