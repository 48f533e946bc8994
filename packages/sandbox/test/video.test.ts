import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoPrompts } from "../src/demo-prompts.ts";
import { chooseScene } from "../src/render/scenes/choose-scene.ts";
import { sceneNames } from "../src/render/scenes/scenes.ts";
import { composeScene } from "../src/render/video/compose.ts";
import { noMedia, type VideoSpec } from "../src/render/video/spec.ts";
import { writeVideoRecipe } from "../src/render/video/video-recipe.ts";
import { openVideoStore, type VideoStore } from "../src/render/video/video-store.ts";
import { ratios, resolutions, sizeOf } from "../src/vendors/ark/sizes.ts";
import { frameSums, loudness, probe, sandboxForTest } from "./support.ts";

let dir: string;
let videos: VideoStore;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "sandbox-video-test-"));
  videos = openVideoStore(dir, 2);
});

afterAll(async () => {
  await videos.stop();
  rmSync(dir, { recursive: true, force: true });
});

const plain: VideoSpec = {
  prompt: "a fox",
  width: 864,
  height: 496,
  seconds: 4,
  audio: false,
  seed: 1,
};
/** A size for tests that are not about the size. */
const small = { width: 192, height: 108 };
const video = async (changes: Partial<VideoSpec>) =>
  videos.pathOf(await videos.obtain({ ...plain, ...changes }));

test("the sizes are Ark's twenty-four, and all even as 4:2:0 needs", () => {
  const table = resolutions.map((resolution) =>
    ratios.map((ratio) => Object.values(sizeOf(resolution, ratio)).join("x")).join(" "),
  );
  expect(table).toEqual([
    "864x496 752x560 640x640 560x752 496x864 992x432",
    "1280x720 1112x834 960x960 834x1112 720x1280 1470x630",
    "1920x1080 1664x1248 1440x1440 1248x1664 1080x1920 2206x946",
    "3840x2160 3326x2494 2880x2880 2494x3326 2160x3840 4398x1886",
  ]);
  for (const resolution of resolutions) {
    for (const ratio of ratios) {
      const { width, height } = sizeOf(resolution, ratio);
      expect([width % 2, height % 2]).toEqual([0, 0]);
    }
  }
});

test.each([
  ["720p", "16:9", false],
  ["480p", "21:9", true],
  ["720p", "3:4", true],
] as const)(
  "a 4 s video in %s %s has the exact size, 96 frames of H.264, audio: %s",
  async (resolution, ratio, audio) => {
    const size = sizeOf(resolution, ratio);
    const found = await probe(
      await video({ ...size, audio, prompt: "A fox crosses the frozen river" }),
    );
    expect(found.video).toMatchObject({
      codec_name: "h264",
      pix_fmt: "yuv420p",
      r_frame_rate: "24/1",
      nb_read_frames: "96",
      ...size,
    });
    expect(found.seconds).toBe(4);
    if (audio) {
      expect(found.audio).toMatchObject({ codec_name: "aac", channels: 1 });
      expect(Number(found.audio?.duration)).toBeCloseTo(4, 1);
    } else {
      expect(found.audio).toBeUndefined();
    }
  },
);

test("a video of 15 s has 360 frames and is never silent", async () => {
  const path = await video({ ...small, seconds: 15, audio: true, prompt: "狐狸" });
  expect(await probe(path)).toMatchObject({ seconds: 15, video: { nb_read_frames: "360" } });
  for (let second = 0; second < 15; second += 3)
    expect(await loudness(path, second, 1)).toBeGreaterThan(-50);
});

test("the image moves: no two frames of a video are alike", async () => {
  const sums = await frameSums(await video({}));
  expect(sums.length).toBe(96);
  expect(new Set(sums).size).toBe(96);
});

test("the same video rendered twice has the same bytes", async () => {
  const elsewhere = openVideoStore(join(dir, "again"), 1);
  const spec = { ...small, prompt: "a calm sea at dusk", audio: true };
  const again = elsewhere.pathOf(await elsewhere.obtain({ ...plain, ...spec }));
  expect(readFileSync(again).equals(readFileSync(await video(spec)))).toBe(true);
});

test.each(sceneNames)(
  "a video of the scene %s has its size and length, and moves",
  async (scene) => {
    const prompt = demoPrompts.find((each) => chooseScene(each, 1).scene === scene);
    const path = await video({ ...small, seconds: 1, ...(prompt && { prompt }) });
    expect(await probe(path)).toMatchObject({
      seconds: 1,
      video: { nb_read_frames: "24", ...small },
    });
    expect(new Set(await frameSums(path)).size).toBeGreaterThan(12);
  },
);

test("a draft has the size, length and streams of the video, and bytes of its own", async () => {
  const drafts = openVideoStore(join(dir, "draft"), 2, true);
  const draft = async (changes: Partial<VideoSpec>) =>
    drafts.pathOf(await drafts.obtain({ ...plain, seconds: 3, ...changes }));
  const paths = await Promise.all([draft({ audio: true }), draft({ prompt: "a wolf" })]);
  const [spoken, silent] = await Promise.all(paths.map(probe));
  const expected = { codec_name: "h264", pix_fmt: "yuv420p", width: 864, height: 496 };
  for (const found of [spoken, silent]) {
    const video = { ...expected, r_frame_rate: "24/1", nb_read_frames: "72" };
    expect(found).toMatchObject({ seconds: 3, video });
  }
  expect([spoken?.audio?.codec_name, silent?.audio]).toEqual(["aac", undefined]);
  const other = await draft({ prompt: "a bear" });
  expect(readFileSync(other).equals(readFileSync(paths[1]))).toBe(false);
  const notAnImage = { firstFrame: Buffer.from("no image") };
  await expect(draft(notAnImage)).rejects.toMatchObject({ outcome: "input_unusable" });
});

test.each([
  ["graph syntax", "':x=0,drawtext=textfile=/etc/passwd[out];[out]null;movie=/etc/passwd"],
  ["control characters and broken surrogates", "a\u0000b\u001b[31md\u007f \ud83d alone \udc00"],
  ["5,000 characters", "The quick brown fox: 100% 'sure'. ".repeat(148).slice(0, 5_000)],
])("a prompt of %s renders a whole video, and no byte of it reaches ffmpeg", async (_, prompt) => {
  const spec = { ...plain, ...small, prompt, seconds: 1, audio: true };
  const found = await probe(await video(spec));
  expect(found).toMatchObject({ seconds: 1, video: { nb_read_frames: "24" } });
  const { args } = writeVideoRecipe(spec, composeScene(spec), noMedia, "video.mp4");
  const harmless = { ...spec, prompt: chooseScene(prompt, 1).scene };
  const others = writeVideoRecipe(harmless, composeScene(harmless), noMedia, "video.mp4").args;
  const shape = (call: string[]) => call.join(" ").replaceAll(/-?[\d.]+/g, "");
  expect(shape(args)).toBe(shape(others));
});

test("a video is rendered once for any number of identical requests", async () => {
  const before = videos.stats();
  const spec = { ...plain, ...small, prompt: "asked for often" };
  const names = await Promise.all(Array.from({ length: 50 }, () => videos.obtain(spec)));
  expect(new Set([...names, await videos.obtain(spec)]).size).toBe(1);
  const after = videos.stats();
  expect([after.rendered - before.rendered, after.reused - before.reused]).toEqual([1, 50]);
});

test("no more videos are rendered at a time than allowed, and no work files are left", async () => {
  const store = openVideoStore(join(dir, "bounded"), 1);
  let most = 0;
  const asked = ["a", "b", "c"].map((prompt) =>
    store.obtain({ ...plain, prompt, seconds: 1, width: 496, height: 432 }),
  );
  const all = Promise.all(asked);
  let done = false;
  void all.finally(() => {
    done = true;
  });
  while (!done) {
    most = Math.max(
      most,
      store.stats().rendering,
      readdirSync(join(dir, "bounded", "work")).length,
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(most).toBe(1);
  expect((await all).every((name) => existsSync(store.pathOf(name)))).toBe(true);
  expect(readdirSync(join(dir, "bounded", "work"))).toEqual([]);
});

test("the link of a finished task gives the video to GET alone, until it expires", async () => {
  const sandbox = await sandboxForTest({ dir });
  const spec = { resolution: "480p", duration: 4, generate_audio: false, seed: 1 };
  const { content } = await sandbox.reaches(await sandbox.created("a fox", spec), "succeeded");
  const url = content?.video_url ?? "";
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("video/mp4");
  expect((await response.bytes()).length).toBe(Number(response.headers.get("content-length")));
  expect((await fetch(url, { method: "HEAD" })).status).toBe(403);
  expect((await fetch(url.replace(/\?.*/, ""))).status).toBe(403);
  expect((await fetch(url.replace(/token=\d/, "token=9"))).status).toBe(403);
  expect(await probe(url)).toMatchObject({ seconds: 4, video: { width: 864, height: 496 } });
});

test("an expired link answers 403, and links carry the public address", async () => {
  const sandbox = await sandboxForTest({ dir, linkMs: 0, publicUrl: "https://videos.example/x" });
  const spec = { resolution: "480p", duration: 4, generate_audio: false, seed: 1 };
  const { content } = await sandbox.reaches(await sandbox.created("a fox", spec), "succeeded");
  const url = content?.video_url ?? "";
  expect(url).toMatch(/^https:\/\/videos\.example\/x\/videos\/[0-9a-f]{32}\.mp4\?token=/);
  const response = await fetch(url.replace("https://videos.example/x", sandbox.linkUrl));
  expect(response.status).toBe(403);
  expect(await response.text()).toMatch(/<Error><Code>AccessDenied/);
});
