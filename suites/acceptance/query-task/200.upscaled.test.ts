import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { main, settings } from "../src/client.ts";

const video = { prompt: "A paper boat crosses a puddle", seed: 7, upscaleResolution: "1080p" };

for (const [model, seconds, credits] of [
  ["sd2-fast", 4, 32],
  ["happyhorse", 3, 24],
] as const)
  test.runIf(settings.hasSandbox)(
    `§4.1 ${model} with upscaleResolution 1080p: the video's short side is 1080, and it costs ${credits}`,
    async () => {
      const taskId = await main.create(model, { ...video, duration: String(seconds) });
      const { seen, end } = await main.follow(taskId);
      expect(end, end.error ?? "").toMatchObject({ status: "COMPLETED", creditsUsed: credits });
      const [output] = end.output ?? [];
      if (output === undefined) throw new Error("completed without an output");
      expect(Math.min(output.width, output.height)).toBe(1080);
      await using scratch = await makeScratch("video");
      const path = join(scratch.path, "video.mp4");
      await writeFile(path, Buffer.from(await (await fetch(output.url)).arrayBuffer()));
      expect(await probeVideo(path)).toMatchObject({
        width: output.width,
        height: output.height,
        video: "h264",
        seconds: expect.closeTo(seconds, 0),
      });
      // While it is upscaled it is PROCESSING, and has no output yet.
      for (const task of seen.slice(0, -1)) expect(task.output).toBeNull();
    },
  );
