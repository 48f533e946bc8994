import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Upscale } from "@zoetrope/testkit/api-types.ts";
import { makeVideo, renderClip } from "@zoetrope/testkit/make-media.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { serve } from "@zoetrope/testkit/serve.ts";
import { serveFile } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { describe, expect, test } from "vitest";
import { main, other, settings, waitFor } from "../src/client.ts";
import { referenceClip, reviewedAsset } from "../src/library.ts";
import { taskIdIn } from "../src/upscale.ts";

const sizeMax = 200 * 1024 * 1024;
const secondsOf = (seconds: number) => Math.max(5, Math.ceil(seconds));

async function probe(url: string) {
  await using scratch = await makeScratch("upscaled");
  const path = join(scratch.path, "video.mp4");
  const response = await fetch(url);
  expect(response.status).toBe(200);
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  return { ...(await probeVideo(path)), contentType: response.headers.get("content-type") };
}

/** Returns the statuses that a poller sees, each once. */
function statusesOf(seen: readonly Upscale[]): string {
  const statuses = seen.map(({ status }) => status);
  return statuses.filter((status, index) => status !== statuses[index - 1]).join(" ");
}

describe.runIf(settings.videoUrl !== null)("an upscale", () => {
  const url = settings.videoUrl ?? "";

  test("§4.8 a video goes from validating to completed: behind its url is a video with 1080 lines, as long as the source, and its seconds are charged", async () => {
    const before = await other.idle();
    const source = await probe(url);
    const sentAt = Date.now();
    const body = { source: { type: "url", url }, targetResolution: "1080p" };
    const { seen, end } = await other.followUpscale(taskIdIn(await other.createUpscale(body)));
    expect(end.error).toBeNull();
    expect(statusesOf(seen)).toMatch(/^(validating )?(processing )?completed$/);
    const steps = seen.map(({ progress }) => progress);
    expect(steps, "progress never falls").toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(100);
    for (const { result, creditsConsumed, finishedAt } of seen.slice(0, -1))
      expect({ result, creditsConsumed, finishedAt }).toEqual({
        result: null,
        creditsConsumed: null,
        finishedAt: null,
      });

    const { result } = end;
    if (result === null) throw new Error("completed without a result");
    expect(result.probedSourceResolution).toBe(`${source.width}x${source.height}`);
    expect(result.probedDurationSeconds).toBeCloseTo(source.seconds, 0);
    const probed = await probe(result.url);
    expect(probed).toMatchObject({
      width: result.width,
      height: result.height,
      video: "h264",
      audio: source.audio,
      contentType: "video/mp4",
    });
    expect(Math.min(result.width, result.height)).toBe(1080);
    const ratio = result.width / result.height / ((source.width ?? 0) / (source.height ?? 1));
    expect(ratio, "the aspect ratio is kept").toBeCloseTo(1, 2);
    expect(Math.abs(probed.seconds - source.seconds)).toBeLessThan(0.25);

    expect(end.creditsConsumed).toBe(3 * secondsOf(result.probedDurationSeconds));
    const spent = before.credits - (end.creditsConsumed ?? 0);
    expect(await other.balance()).toEqual({ credits: spent, availableCredits: spent });
    expect(Math.abs(Date.parse(end.createdAt) - sentAt)).toBeLessThan(60_000);
    expect(Date.parse(end.finishedAt ?? "")).toBeGreaterThan(Date.parse(end.createdAt));
    expect(await other.upscale(end.taskId), "nothing leaves a terminal state").toEqual(end);
  });

  test.runIf(settings.hasSandbox)(
    "§4.7 a stored copy from assets/upload is taken as a source, and so is its own account's alone",
    async () => {
      const { asset: stored } = await reviewedAsset(main, "VIDEO", await referenceClip());
      const source = { type: "uploadId", storageUrl: stored["storageUrl"] };
      const taskId = taskIdIn(await main.createUpscale({ source, targetResolution: "1080p" }));
      const { end } = await main.followUpscale(taskId);
      expect(end).toMatchObject({
        status: "completed",
        error: null,
        creditsConsumed: 3 * secondsOf(Number(stored["duration"])),
        result: { probedDurationSeconds: stored["duration"] },
      });
      expect(Math.min(end.result?.width ?? 0, end.result?.height ?? 0)).toBe(1080);
    },
  );

  test.runIf(settings.callsLoopback)(
    "§6 when it is completed, callBackUrl receives a POST whose JSON body is upscale/query's answer",
    async () => {
      await using receiver = await startReceiver();
      const source = { type: "url", url };
      const body = { source, targetResolution: "1080p", callBackUrl: receiver.hookUrl };
      const taskId = taskIdIn(await main.createUpscale(body));
      await waitFor("the callback has come", () => receiver.received.length > 0);
      const [callback] = receiver.received;
      expect(callback).toMatchObject({ method: "POST", path: "/hook" });
      const task = await main.upscale(taskId);
      expect(task).toMatchObject({ taskId, status: "completed" });
      expect(JSON.parse(callback?.body ?? "")).toEqual(task);
    },
  );
});

const hasFiles = settings.hasSandbox && settings.callsLoopback && settings.videoUrl !== null;
describe.runIf(hasFiles).concurrent("targets and codecs", () => {
  const url = settings.videoUrl ?? "";
  for (const [targetResolution, shortSide, creditsPerSecond] of [
    ["2k", 1440, 5],
    ["4k", 2160, 7],
  ] as const)
    test(`§4.7 targetResolution ${targetResolution}: the short side is ${shortSide}, at ${creditsPerSecond} credits a second`, async () => {
      const body = { source: { type: "url", url }, targetResolution };
      const { end } = await main.followUpscale(taskIdIn(await main.createUpscale(body)));
      expect(end).toMatchObject({ status: "completed", targetResolution });
      const { result, creditsConsumed } = end;
      if (result === null) throw new Error("completed without a result");
      expect(creditsConsumed).toBe(creditsPerSecond * secondsOf(result.probedDurationSeconds));
      const { width, height } = await probe(result.url);
      expect({ width, height }).toEqual({ width: result.width, height: result.height });
      expect(Math.min(result.width, result.height)).toBe(shortSide);
    });

  for (const [what, name, codec] of [
    ["ProRes of 10 bits", "video.mov", ["-c:v", "prores_ks", "-pix_fmt", "yuv422p10le"]],
    ["DNxHR", "video.mov", ["-c:v", "dnxhd", "-profile:v", "dnxhr_sq", "-pix_fmt", "yuv422p"]],
    ["MPEG-4 part 2", "video.mp4", ["-c:v", "mpeg4"]],
    ["Motion JPEG", "video.mov", ["-c:v", "mjpeg", "-pix_fmt", "yuvj422p"]],
    ["VP9 in WebM", "video.webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime"]],
  ] as const)
    test(`§8 ${what} is upscaled, and clips under 5 s are billed as 5 s`, async () => {
      await using file = await serveFile(await renderClip(name, codec));
      const body = { source: { type: "url", url: file.url }, targetResolution: "1080p" };
      const { end } = await main.followUpscale(taskIdIn(await main.createUpscale(body)));
      expect(end, end.error?.message).toMatchObject({ status: "completed", creditsConsumed: 15 });
      expect(await probe(end.result?.url ?? "")).toMatchObject({
        width: 1920,
        height: 1080,
        video: "h264",
        seconds: expect.closeTo(1, 0),
      });
    });
});

/** Offers so many bytes; a client may disconnect once it knows the length. */
function serveBytes(sizeBytes: number) {
  return serve((_request, response) => {
    response.writeHead(200, { "content-length": sizeBytes }).write(Buffer.alloc(64 * 1024));
  });
}

describe.runIf(settings.callsLoopback)("an upscale that fails", () => {
  const large = { size: "1920x1080", seconds: 1, rate: 5 };
  const alpha = ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"];
  const fileOf = async (bytes: Promise<Buffer>) => serveFile(await bytes);
  const nothing = async () => Buffer.alloc(0);
  for (const [code, what, path, offer] of [
    ["URL_NOT_REACHABLE", "nothing is there", "/nothing", () => fileOf(nothing())],
    ["UNSUPPORTED_MEDIA_TYPE", "it is no video", "", () => serveFile(Buffer.from("no video"))],
    [
      ...(["UNSUPPORTED_MEDIA_TYPE", "it has an alpha channel", ""] as const),
      () => fileOf(renderClip("video.mov", alpha)),
    ],
    [
      ...(["UNSUPPORTED_MEDIA_TYPE", "it has more than 120 frames a second", ""] as const),
      () => fileOf(renderClip("video.mp4", ["-c:v", "mpeg4"], 125)),
    ],
    ["FILE_TOO_LARGE", "it has a byte more than 200 MB", "", () => serveBytes(sizeMax + 1)],
    [
      ...(["DURATION_EXCEEDS_LIMIT", "it is 601 s long", ""] as const),
      () => fileOf(renderClip("video.mp4", ["-c:v", "mpeg4"], 1, 601)),
    ],
    [
      ...(["SOURCE_RESOLUTION_TOO_HIGH", "it has 1080 lines already", ""] as const),
      () => fileOf(makeVideo(large)),
    ],
  ] as const)
    test(`§7 ${code} when ${what}: an error with code and message, no result, nothing is charged, and the callback says the same`, async () => {
      await using receiver = await startReceiver();
      await using file = await offer();
      const before = await other.idle();
      const source = { type: "url", url: new URL(path, file.url).href };
      const body = { source, targetResolution: "1080p", callBackUrl: receiver.hookUrl };
      const taskId = taskIdIn(await other.createUpscale(body));
      const { seen, end } = await other.followUpscale(taskId);
      expect(end).toMatchObject({
        taskId,
        status: "failed",
        targetResolution: "1080p",
        creditsConsumed: null,
        result: null,
        error: { code, message: expect.stringMatching(/./) },
        finishedAt: expect.stringMatching(/Z$/),
      });
      expect(statusesOf(seen)).toMatch(/^(validating )?failed$/);
      expect(await other.balance()).toEqual(before);
      await waitFor("the callback has come", () => receiver.received.length > 0);
      expect(JSON.parse(receiver.received[0]?.body ?? "")).toEqual(end);
    });
});
