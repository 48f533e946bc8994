import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeClip, makeImage, makeTone } from "@zoetrope/testkit/make-media.ts";
import { expect, onTestFinished, test } from "vitest";
import { nearestRatio } from "../src/vendors/ark/sizes.ts";
import { distance, fileServer, readFrames } from "./media-support.ts";
import { cheap, probe, sandboxForTest, type Task, type TestSandbox, until } from "./support.ts";

const image = (url: string, role?: string) => ({
  type: "image_url",
  image_url: { url },
  ...(role && { role }),
});
const video = (url: string) => ({ type: "video_url", video_url: { url }, role: "reference_video" });
const audio = (url: string) => ({ type: "audio_url", audio_url: { url }, role: "reference_audio" });
const text = (prompt: string) => ({ type: "text", text: prompt });
const small = { resolution: "480p", duration: 4, generate_audio: false };

async function videoOf(sandbox: TestSandbox, task: Task): Promise<string> {
  const path = join(sandbox.dir, "seen.mp4");
  const response = await fetch(task.content?.video_url ?? "");
  writeFileSync(path, await response.bytes());
  return path;
}

test("a task with two frames begins with the one and ends with the other", async () => {
  const sandbox = await sandboxForTest({ isDraft: false });
  const server = await fileServer({ "/red.png": await makeImage("color=red:s=600x600") });
  const blue = (await makeImage("color=blue:s=600x600", "mjpeg")).toString("base64");
  const content = [
    text("a fox"),
    image(`${server.url}/red.png`, "first_frame"),
    image(`data:image/jpeg;base64,${blue}`, "last_frame"),
  ];
  const id = await sandbox.created("", { ...small, ratio: "16:9", content });
  const path = await videoOf(sandbox, await sandbox.reaches(id, "succeeded"));
  const [first, last] = await readFrames(path, [0, 95], { width: 864, height: 496 });
  expect(distance(first?.() ?? [], [255, 0, 0])).toBeLessThan(8);
  expect(distance(last?.() ?? [], [0, 0, 255])).toBeLessThan(8);
});

test("references of every kind are fetched, from the web, the body and the assets", async () => {
  const sandbox = await sandboxForTest({ isDraft: false });
  const server = await fileServer({
    "/a.webp": await makeImage("color=red:s=400x400", "libwebp"),
    "/b.mp4": await makeClip("color=lime:s=400x400:d=2"),
    "/c.mp3": await makeTone(440, 2, "mp3"),
  });
  const content = [
    image(`${server.url}/a.webp`, "reference_image"),
    image("asset://asset-20260101000000-abcde", "reference_image"),
    video(`${server.url}/b.mp4`),
    video("asset://asset-20260101000000-fghij"),
    audio(`${server.url}/c.mp3`),
    audio("asset://asset-20260101000000-klmno"),
  ];
  const id = await sandbox.created("", { ...small, generate_audio: true, content });
  const path = await videoOf(sandbox, await sandbox.reaches(id, "succeeded"));
  expect(server.asked.toSorted()).toEqual(["/a.webp", "/b.mp4", "/c.mp3"]);
  const seen = await probe(path);
  expect([seen.video?.nb_read_frames, seen.audio?.codec_name]).toEqual(["96", "aac"]);
});

test.each([
  ["first_frame", "1000x1000", "1:1", 640, 640],
  ["first_frame", "700x1200", "9:16", 496, 864],
  ["reference_image", "1400x600", "21:9", 992, 432],
])("adaptive: a %s of %s makes a video of %s", async (role, size, ratio, width, height) => {
  const sandbox = await sandboxForTest({ queuedMs: 300 });
  const server = await fileServer({ "/a.png": await makeImage(`color=red:s=${size}`) });
  const content = [text("a fox"), image(`${server.url}/a.png`, role)];
  const id = await sandbox.created("", { ...small, content });
  expect(await sandbox.get(id)).toMatchObject({ ratio: "adaptive" });
  const task = await sandbox.reaches(id, "succeeded");
  expect(task).toMatchObject({ ratio });
  expect(await probe(await videoOf(sandbox, task))).toMatchObject({ video: { width, height } });
});

test("adaptive is 16:9 where there is no image, and a ratio that was asked for stays", async () => {
  const sandbox = await sandboxForTest();
  const server = await fileServer({ "/a.png": await makeImage("color=red:s=600x600") });
  const plain = await sandbox.reaches(await sandbox.created(cheap), "succeeded");
  expect(plain).toMatchObject({ ratio: "16:9" });
  const content = [text(cheap), image(`${server.url}/a.png`)];
  const asked = await sandbox.created("", { content, ratio: "3:4" });
  expect(await sandbox.reaches(asked, "succeeded")).toMatchObject({ ratio: "3:4" });
});

test("the nearest ratio is nearest as a proportion", () => {
  const nearest = (width: number, height: number) => nearestRatio({ width, height });
  expect([nearest(1_920, 1_080), nearest(1_080, 1_920), nearest(500, 500)]).toEqual([
    "16:9",
    "9:16",
    "1:1",
  ]);
  expect([nearest(3_000, 2_000), nearest(2_000, 3_000), nearest(2_500, 1_000)]).toEqual([
    "4:3",
    "3:4",
    "21:9",
  ]);
});

test.each([
  ["image", "first_frame", image],
  ["video", "reference_video", video],
  ["audio", "reference_audio", audio],
] as const)(
  "an %s that cannot be downloaded lets the task be accepted and fail later",
  async (kind, role, item) => {
    const sandbox = await sandboxForTest();
    const server = await fileServer({ "/a.png": await makeImage("color=red:s=600x600") });
    const lost = item(`${server.url}/lost`, role);
    const fine = kind === "audio" ? [image(`${server.url}/a.png`, "reference_image")] : [];
    const id = await sandbox.created("", { content: [text("a fox"), ...fine, lost] });
    const task = await sandbox.reaches(id, "failed");
    expect(task.error?.code).toBe("InvalidParameter");
    expect(task.error?.message).toMatch(
      /^Error while downloading: \S+\/lost, status code: 404 Request id: \w+$/,
    );
  },
);

test("an input of another type than declared fails the task with Ark's error", async () => {
  const sandbox = await sandboxForTest();
  const content = [text("a fox"), image("data:image/png;base64,AAAA", "first_frame")];
  const task = await sandbox.reaches(await sandbox.created("", { ...small, content }), "failed");
  expect(task.error?.code).toBe("InvalidImageURL.InvalidFormat");
});

test("a task that is scripted to fail or hang fetches nothing", async () => {
  const sandbox = await sandboxForTest();
  const server = await fileServer({});
  const content = (directive: string) => [text(directive), image(`${server.url}/a.png`)];
  const failed = await sandbox.created("", { content: content("[sandbox:fail]") });
  const hung = await sandbox.created("", { content: content("[sandbox:hang]") });
  await sandbox.reaches(failed, "failed");
  await sandbox.reaches(hung, "running");
  expect(server.asked).toEqual([]);
});

test("the sandbox stops while an input is being fetched, and no failure is noted", async () => {
  const logDir = mkdtempSync(join(tmpdir(), "sandbox-ark-inputs-test-"));
  onTestFinished(() => rmSync(logDir, { recursive: true, force: true }));
  const logPath = join(logDir, "journal.jsonl");
  const sandbox = await sandboxForTest({ logPath });
  const server = await fileServer({});
  await sandbox.created("", { content: [text("a fox"), image(`${server.url}/silent`)] });
  await until("it is asked for", () => server.asked[0]);
  await sandbox.stop();
  const journal = readFileSync(logPath, "utf8");
  expect(journal).toMatch(/"to":"running"/);
  expect(journal).not.toMatch(/"to":"failed"/);
});
