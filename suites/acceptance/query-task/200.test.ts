import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Inputs } from "@zoetrope/testkit/api-client.ts";
import type { Task } from "@zoetrope/testkit/api-types.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { describe, expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { longPrompt } from "../src/examples.ts";

/** Clocks of two machines differ. */
const clockMsMax = 60_000;

async function makeVideo(model: string, inputs: Inputs) {
  const sentAt = Date.now();
  const { seen, end } = await main.follow(await main.create(model, inputs));
  const { output } = end;
  expect(end, end.error ?? "").toMatchObject({ status: "COMPLETED", error: null, errorCode: null });
  expect(output).toHaveLength(1);
  const video = output?.[0];
  if (video === undefined) throw new Error("unreachable");
  await using scratch = await makeScratch("video");
  const path = join(scratch.path, "video.mp4");
  const response = await fetch(video.url);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("video/mp4");
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  return { sentAt, seen, end, video, probed: await probeVideo(path) };
}

const shortVideo = (resolution: string) => ({
  prompt: "A paper boat",
  duration: "4s",
  generateAudio: false,
  resolution,
});

/** Returns the statuses that a poller sees, each once: `PENDING PROCESSING COMPLETED`. */
function statusesOf(seen: readonly Task[]): string {
  const statuses = seen.map(({ status }) => status);
  return statuses.filter((status, index) => status !== statuses[index - 1]).join(" ");
}

describe.concurrent("videos", () => {
  test("§4.2 a sd2 text-to-video task goes from createTask to COMPLETED, and behind its url is a video of the width and height it says", async () => {
    const { sentAt, seen, end, video, probed } = await makeVideo("sd2", {
      prompt: "A paper boat crosses a puddle at dusk",
    });
    expect(probed).toMatchObject({ width: video.width, height: video.height });
    expect(probed.seconds, "the default duration").toBeCloseTo(5, 0);
    expect(probed.audio, "generateAudio is true by default").not.toBe("none");
    expect(Math.min(video.width, video.height), "720p by default").toBeGreaterThanOrEqual(540);
    expect(Math.min(video.width, video.height), "720p by default").toBeLessThanOrEqual(960);

    expect(statusesOf(seen)).toMatch(/^(PENDING )?(PROCESSING )?COMPLETED$/);
    for (const { creditsUsed, model } of seen)
      expect({ creditsUsed, model }).toEqual({ creditsUsed: 30, model: "sd2" });
    for (const task of seen.slice(0, -1))
      expect(task).toMatchObject({ output: null, error: null, completeTime: null });

    expect(new Set(seen.map(({ createTime }) => createTime)).size).toBe(1);
    expect(Number.isSafeInteger(end.createTime)).toBe(true);
    expect(Number.isSafeInteger(end.completeTime)).toBe(true);
    expect(Math.abs(end.createTime - sentAt)).toBeLessThan(clockMsMax);
    expect(end.completeTime).toBeGreaterThan(end.createTime);
  });

  test("§4.1 generateAudio: false gives a silent video, and duration is what was asked for", async () => {
    const { video, probed } = await makeVideo("sd2-fast", shortVideo("720x1280"));
    expect(probed).toMatchObject({ width: video.width, height: video.height, audio: "none" });
    expect(probed.seconds).toBeCloseTo(4, 0);
  });

  test("§4.1 sd2 supports outputResolution 1080p natively: the video has 1080 lines", async () => {
    const { video, probed } = await makeVideo("sd2", {
      ...shortVideo("1280x720"),
      outputResolution: "1080p",
    });
    expect(video).toMatchObject({ width: 1920, height: 1080 });
    expect(probed).toMatchObject({ width: 1920, height: 1080 });
  });

  for (const resolution of ["720x720", "720x960", "960x720", "1280x720", "720x1280", "1280x540"])
    test(`§4.1 resolution ${resolution} selects the video's aspect ratio`, async () => {
      const { video, probed } = await makeVideo("sd2-fast", shortVideo(resolution));
      const [width = 0, height = 0] = resolution.split("x").map(Number);
      expect(probed).toMatchObject({ width: video.width, height: video.height });
      expect(video.width / video.height / (width / height)).toBeCloseTo(1, 1);
    });
});

describe.runIf(settings.hasSandbox).concurrent("a task that fails", () => {
  test("§1 a FAILED task has an error string and an errorCode, no output, and cost nothing", async () => {
    const taskId = await main.create("sd2", { prompt: "A boat [sandbox:fail]", duration: "4s" });
    const { seen, end } = await main.follow(taskId);
    expect(end).toMatchObject({
      taskId,
      model: "sd2",
      status: "FAILED",
      creditsUsed: 0,
      output: null,
      error: expect.stringMatching(/./),
      errorCode: "vendor_failed",
    });
    expect(end.completeTime).toBeGreaterThan(end.createTime);
    expect(statusesOf(seen)).toMatch(/^(PENDING )?(PROCESSING )?FAILED$/);
    for (const { creditsUsed } of seen.slice(0, -1)) expect(creditsUsed).toBe(24);
  });

  test("§7 upstream texts are never passed through raw", async () => {
    const prompt = "A boat [sandbox:fail=OutputVideoSensitiveContentDetected]";
    const { end } = await main.follow(await main.create("sd2", { prompt, duration: "4s" }));
    expect(end).toMatchObject({ status: "FAILED", errorCode: "output_blocked" });
    expect(end.error).not.toContain("SensitiveContent");
  });

  test("§3.1 nothing leaves a terminal state: a later query has the same answer", async () => {
    const prompt = "A boat [sandbox:fail] [sandbox:duplicate]";
    const taskId = await main.create("sd2", { prompt, duration: "4s" });
    const { end } = await main.follow(taskId);
    expect(await main.task(taskId)).toEqual(end);
  });

  test("§3.1 a poller sees PROCESSING once the vendor has taken the task", async () => {
    const prompt = "A boat [sandbox:slow=2] [sandbox:fail]";
    const { seen } = await main.follow(await main.create("sd2", { prompt, duration: "4s" }));
    expect(statusesOf(seen)).toMatch(/PROCESSING FAILED$/);
  });
});

test("§2.1 a new task has every field, and no end yet", async () => {
  const taskId = await main.create("sd2", { prompt: longPrompt, duration: "4s" });
  expect(await main.task(taskId)).toMatchObject({
    taskId,
    model: "sd2",
    status: expect.stringMatching(/^(PENDING|PROCESSING)$/),
    creditsUsed: 24,
    output: null,
    error: null,
    errorCode: null,
    createTime: expect.any(Number),
    completeTime: null,
  });
});
