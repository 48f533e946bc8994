import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import type { Stack } from "@zoetrope/dev/stack.ts";
import { createClient } from "@zoetrope/testkit/api-client.ts";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import type { FileServer } from "@zoetrope/testkit/serve-files.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { Client } from "pg";
import { expect, test } from "vitest";
import type { OpenAccount } from "./harness/open-accounts.ts";

const scenarioMsMax = 180_000;

export interface Stage {
  stack: Stack;
  openAccount: OpenAccount;
  videos: FileServer;
  /** The folder for files of the scenarios. */
  dir: string;
}

/** Upscales over the whole stack. */
export function upscaleScenarios(onStage: () => Stage): void {
  async function openAccount() {
    const { stack, openAccount } = onStage();
    const { key } = await openAccount({ credits: 100 });
    return createClient(stack.apiUrl, key);
  }

  async function probe(url: string) {
    const path = join(onStage().dir, `${crypto.randomUUID()}.mp4`);
    await writeFile(path, Buffer.from(await (await fetch(url)).arrayBuffer()));
    return probeVideo(path);
  }

  /** Expects that nothing of the work for a task is left: no rows, and none of its objects but the result. */
  async function expectNothingLeft(taskId: string): Promise<void> {
    const db = new Client({ connectionString: onStage().stack.databaseOwnerUrl });
    await db.connect();
    try {
      const isForgotten = async () =>
        (await db.query("select from upscales where task_id = $1", [taskId])).rowCount === 0;
      await waitUntil("the segments are forgotten", isForgotten, { timeoutMs: 300_000 });
    } finally {
      await db.end();
    }
  }

  test(
    "an upscale: the video has the resolution and the length, its audio is there, its callback equals the query, its seconds are charged",
    async () => {
      const { videos, dir } = onStage();
      const client = await openAccount();
      await using receiver = await startReceiver();
      const video = pattern({ size: "320x180", rate: 5, seconds: 6.4 });
      const url = videos.urlOf(await renderFile(join(dir, "scenario.mp4"), video));
      const taskId = await client.createUpscaleOf(url, { callBackUrl: receiver.url });
      const { seen, end } = await client.followUpscale(taskId);
      expect(end).toMatchObject({
        status: "completed",
        progress: 100,
        creditsConsumed: 7 * 3,
        error: null,
        result: { probedDurationSeconds: 6.4, probedSourceResolution: "320x180" },
      });
      const steps = seen.map(({ progress }) => progress);
      expect(steps).toEqual(steps.toSorted((a, b) => a - b));
      expect(await probe(end.result?.url ?? "")).toEqual({
        width: 1920,
        height: 1080,
        video: "h264",
        audio: "aac",
        seconds: expect.closeTo(6.4, 1),
      });
      const [callback] = await receiver.arrived(1);
      expect(JSON.parse(callback?.body ?? "")).toEqual(await client.upscale(taskId));
      expect(await client.balance()).toEqual({ credits: 79, availableCredits: 79 });
      await expectNothingLeft(taskId);
    },
    scenarioMsMax,
  );

  test.each([
    ["UNSUPPORTED_MEDIA_TYPE", "audio.mp3", ["-f", "lavfi", "-i", "sine=d=2"]],
    [
      "SOURCE_RESOLUTION_TOO_HIGH",
      "large.mp4",
      pattern({ size: "1920x1080", rate: 1, seconds: 1 }),
    ],
  ])(
    "an upscale that fails its validation as %s gives back exactly what it held",
    async (code, name, args) => {
      const { videos, dir } = onStage();
      const client = await openAccount();
      const taskId = await client.createUpscaleOf(
        videos.urlOf(await renderFile(join(dir, name), args)),
      );
      const { seen, end } = await client.followUpscale(taskId);
      expect(end).toMatchObject({
        status: "failed",
        creditsConsumed: null,
        result: null,
        error: { code, message: expect.stringMatching(/.{10}/) },
      });
      expect(seen.map(({ status }) => status)).not.toContain("processing");
      expect(await client.balance()).toEqual({ credits: 100, availableCredits: 100 });
    },
    scenarioMsMax,
  );

  test(
    "upscaleResolution: the vendor's video is delivered at the size that was asked for, although its answer was lost",
    async () => {
      const client = await openAccount();
      const prompt = `${crypto.randomUUID()} [sandbox:reset]`;
      const inputs = { prompt, duration: "4s", upscaleResolution: "1080p" };
      const taskId = await client.create("sd2-fast", inputs);
      const task = await client.finished(taskId, scenarioMsMax);
      expect(task).toMatchObject({ status: "COMPLETED", creditsUsed: 4 * (5 + 3), error: null });
      const [video] = task.output ?? [];
      const probed = await probe(video?.url ?? "");
      expect(probed).toMatchObject({ width: video?.width, height: video?.height, audio: "aac" });
      expect(Math.min(probed.width ?? 0, probed.height ?? 0)).toBe(1080);
      expect(probed.seconds).toBeCloseTo(4, 0);
      expect(await client.balance()).toEqual({ credits: 68, availableCredits: 68 });
      expect(await controlSandbox(onStage().stack.sandboxControl).jobsOf(taskId)).toHaveLength(1);
      await expectNothingLeft(taskId);
    },
    scenarioMsMax,
  );

  test.each([
    ["fail", "vendor_failed"],
    ["badvideo", "output_unusable"],
  ])(
    "upscaleResolution: where the vendor delivers no video (%s), the task fails as %s and nothing is charged",
    async (directive, errorCode) => {
      const client = await openAccount();
      const inputs = { prompt: `[sandbox:${directive}]`, duration: "4s", upscaleResolution: "2k" };
      const taskId = await client.create("sd2-fast", inputs);
      expect(await client.finished(taskId)).toMatchObject({ status: "FAILED", errorCode });
      expect(await client.balance()).toEqual({ credits: 100, availableCredits: 100 });
      await expectNothingLeft(taskId);
    },
  );
}
