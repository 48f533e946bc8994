import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { VideoPlan } from "../../db/tables/upscale.ts";
import { createSafeFetch } from "../../media/fetch/safe-fetch.ts";
import { listFrames } from "../../media/probe/list-frames.ts";
import { probeMedia } from "../../media/probe/probe.ts";
import { takeResult } from "./take-result.ts";

/** 320x180 for two seconds, to be made 1920x1080. */
const video: VideoPlan = {
  by: "vendor",
  contentType: "video/mp4",
  target: "1080p",
  source: { width: 320, height: 180, durationMs: 2_000 },
  width: 1920,
  height: 1080,
  tick: { over: 1, under: 1_000 },
  firstAt: 0,
  endsAt: 2_000,
  startsAtSeconds: 0,
  isInterlaced: false,
  audioCodecs: [],
};

const safeFetch = createSafeFetch({ allowLoopback: true });
let scratch: Scratch;
let videos: FileServer;
beforeAll(async () => {
  scratch = await makeScratch("result");
  videos = await serveFiles({ dir: scratch.path });
});
afterAll(async () => {
  await safeFetch.close();
  await videos[Symbol.asyncDispose]();
  await scratch.remove();
});

const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const tone = (seconds: number) => ["-f", "lavfi", "-i", `sine=d=${seconds}`, "-c:a", "aac"];

async function render(
  name: string,
  { size = "1920x1080", seconds = 2, more = h264 }: RenderOptions = {},
): Promise<string> {
  const image = ["-f", "lavfi", "-i", `color=c=teal:s=${size}:r=5:d=${seconds}`];
  return videos.urlOf(await renderFile(join(scratch.path, name), [...image, ...more]));
}
interface RenderOptions {
  size?: string;
  seconds?: number;
  more?: string[];
}

async function taken(url: string, fetch = safeFetch) {
  const dir = await mkdtemp(join(scratch.path, "run-"));
  return takeResult(fetch, url, video, { dir, signal: AbortSignal.timeout(20_000) });
}

test("of a valid result the video stream is kept and the audio is not", async () => {
  const url = await render("good.mp4", { more: [...tone(3), ...h264] });
  const result = await taken(url);
  if (result.kind === "fault") throw new Error(result.fault);
  expect(await probeMedia(result.path)).toMatchObject({ width: 1920, audioCodec: null });
  expect((await listFrames(result.path, "video/mp4"))?.frames).toHaveLength(10);
});

test("sides that encoders round and another frame rate are as good", async () => {
  expect(await taken(await render("rounded.mp4", { size: "1936x1088" }))).toHaveProperty("path");
  expect(await taken(await render("fast.mp4", { more: [...h264, "-r", "12"] }))).toHaveProperty(
    "path",
  );
});

test.each<[string, RenderOptions, RegExp]>([
  ["small.mp4", { size: "1280x720" }, /is 1280x720 instead of 1920x1080/],
  ["bars.mp4", { size: "1920x1440" }, /is 1920x1440 instead of 1920x1080/],
  ["short.mp4", { seconds: 1.6 }, /lasts 1600 ms instead of 2000/],
  ["long.mp4", { seconds: 2.4 }, /lasts 2400 ms instead of 2000/],
  ["odd.mov", { more: ["-c:v", "libx265", "-preset", "ultrafast"] }, /with hevc, not MP4 with/],
  ["video.webm", { more: ["-c:v", "libvpx-vp9", "-cpu-used", "8"] }, /video\/webm with vp9/],
  ["audio.mp3", { more: ["-f", "lavfi", "-i", "sine=d=2", "-map", "1:a"] }, /is not a video/],
])("%s is not taken: %j", async (name, options, fault) => {
  expect(await taken(await render(name, options))).toEqual({
    kind: "fault",
    fault: expect.stringMatching(fault),
  });
});

test("a link that is refused for good is no video; a connection that breaks can pass", async () => {
  expect(await taken(videos.urlOf("/nowhere.mp4"))).toEqual({
    kind: "fault",
    fault: expect.stringMatching(/link answered 404/),
  });
  const guarded = createSafeFetch({ allowLoopback: false });
  onTestFinished(() => guarded.close());
  expect(await taken(videos.urlOf("/small.mp4"), guarded)).toEqual({
    kind: "fault",
    fault: expect.stringMatching(/must point to a public address/),
  });
  await expect(taken("http://127.0.0.1:9/video.mp4")).rejects.toThrow();
});

test("taking it ends when the worker stops, whatever the vendor's link is doing", async () => {
  await using silent = await startReceiver();
  const stop = new AbortController();
  silent.answer = () => {
    stop.abort(new Error("stopped"));
    return new Promise(() => {});
  };
  const run = { dir: scratch.path, signal: stop.signal };
  await expect(takeResult(safeFetch, silent.url, video, run)).rejects.toThrow("stopped");
});
