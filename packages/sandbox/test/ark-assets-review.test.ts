import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeClip, makeImage, makeTone } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import { z } from "zod";
import { assetSandbox, listed } from "./ark-assets-support.ts";
import { distance, fileServer, readFrames } from "./media-support.ts";
import { until } from "./support.ts";

const url = "https://example.com/a.png";

function refused(status: number, code: string) {
  return { status, metadata: { Error: { Code: code, Message: expect.stringMatching(/./) } } };
}

const image = (source: string, codec = "png") => ["Image", () => makeImage(source, codec)] as const;
const video = (source: string) => ["Video", () => makeClip(source)] as const;
const audio = (seconds: number, format: "wav" | "mp3") =>
  ["Audio", () => makeTone(440, seconds, format)] as const;

test.each([
  ["an image of 300x300", image("color=red:s=300x300")],
  ["a JPEG of 750x300", image("color=red:s=750x300", "mjpeg")],
  ["a WEBP", image("color=red:s=400x400", "libwebp")],
  ["a video of 2 s", video("testsrc2=s=640x640:r=24:d=2")],
  ["a WAV of 3 s", audio(3, "wav")],
  ["an MP3 of 3 s", audio(3, "mp3")],
])("%s passes the review", async (_, [type, make]) => {
  const sandbox = await assetSandbox();
  const files = await fileServer({ "/file": await make() });
  const id = await sandbox.register({ URL: `${files.url}/file`, AssetType: type });
  await sandbox.becomes(id, "Active");
});

test.each([
  ["an image with a side of 299", image("color=red:s=299x400"), "Resolution"],
  ["an image with a side of 6002", image("color=red:s=6002x3000"), "Resolution"],
  ["an image of 3:1", image("color=red:s=900x300"), "AspectRatio"],
  ["a video as an image", ["Image", video("testsrc2=s=640x640:d=2")[1]] as const, "FileFormat"],
  ["an image as a video", ["Video", image("color=red:s=400x400")[1]] as const, "FileFormat"],
  ["words", ["Image", async () => Buffer.from("no image")] as const, "FileFormat"],
  ["a video of 1 s", video("testsrc2=s=640x640:d=1"), "Duration"],
  ["a small video", video("testsrc2=s=640x638:d=2"), "Resolution"],
  ["a video of 15 frames per second", video("testsrc2=s=640x640:r=15:d=2"), "FrameRate"],
  ["an audio file of 16 s", audio(16, "mp3"), "Duration"],
])("%s is registered and fails the review", async (_, [type, make], what) => {
  const sandbox = await assetSandbox();
  const files = await fileServer({ "/file": await make() });
  const id = await sandbox.register({ URL: `${files.url}/file`, AssetType: type });
  expect((await sandbox.becomes(id, "Failed")).Error).toEqual({
    Code: `InvalidParameter.${what}`,
    Message: expect.stringMatching(/./),
  });
});

test("a URL that cannot be downloaded fails the review", async () => {
  const sandbox = await assetSandbox();
  const files = await fileServer({});
  const id = await sandbox.register({ URL: `${files.url}/none.png` });
  const { Error: error } = await sandbox.becomes(id, "Failed");
  expect(error?.Code).toBe("InvalidParameter.DownloadFailed");
});

test.each([
  ["[sandbox:fail]", "InternalError"],
  ["[sandbox:fail=input_blocked]", "SensitiveContentDetected"],
  ["[sandbox:fail=real_person_blocked]", "SensitiveContentDetected.PrivacyInformation"],
  ["[sandbox:fail=Some.Code]", "Some.Code"],
])("%s in the name: the review fails with %s", async (Name, code) => {
  const sandbox = await assetSandbox();
  const id = await sandbox.register({ URL: url, Name });
  expect((await sandbox.becomes(id, "Failed")).Error?.Code).toBe(code);
});

test("[sandbox:hang]: the asset stays in review; [sandbox:slow=2]: for that many seconds", async () => {
  const sandbox = await assetSandbox();
  const image = await makeImage("color=red:s=400x400");
  const files = await fileServer({ "/a.png": image });
  const hung = await sandbox.register({ URL: `${files.url}/a.png`, Name: "[sandbox:hang]" });
  const started = performance.now();
  const slow = await sandbox.register({ URL: `${files.url}/a.png`, Name: "[sandbox:slow=2]" });
  await sandbox.becomes(slow, "Active");
  expect(performance.now() - started).toBeGreaterThanOrEqual(1_995);
  expect((await sandbox.getAsset(hung)).Status).toBe("Processing");
});

test.each(["500", "garbage", "reset"])(
  "[sandbox:%s]: the caller gets no id, yet the asset is found by its name",
  async (directive) => {
    const sandbox = await assetSandbox();
    const body = sandbox.asset({ URL: url, Name: `gw-7 [sandbox:${directive}] [sandbox:hang]` });
    const answer = await sandbox.action("CreateAsset", body).catch((error) => error.cause.code);
    expect(JSON.stringify(answer)).not.toMatch(/asset-\d/);
    expect((await listed(sandbox, { Filter: { Name: "gw-7" } })).total).toBe(1);
  },
);

test("[sandbox:lost], [sandbox:throttle=1] and [sandbox:refuse=…] answer an error, and there is no asset", async () => {
  const sandbox = await assetSandbox();
  const create = (Name: string) => sandbox.action("CreateAsset", sandbox.asset({ URL: url, Name }));
  expect(await create("[sandbox:lost]")).toMatchObject(refused(500, "InternalError"));
  expect(await create("[sandbox:throttle=1]")).toMatchObject(refused(429, "FlowLimitExceeded"));
  const directive = "[sandbox:refuse=SubscriptionRequired]";
  expect(await create(directive)).toMatchObject(refused(403, "SubscriptionRequired"));
  expect((await listed(sandbox, {})).total).toBe(0);
  expect((await create("[sandbox:throttle=1]")).status).toBe(200);
});

test("a fault meets the next asset only if it names this vendor", async () => {
  const sandbox = await assetSandbox();
  await sandbox.control("POST", "/faults", { fault: "lost" });
  await sandbox.control("POST", "/faults", { fault: "fail=input_blocked", vendor: "ark-assets" });
  const id = await sandbox.register({ URL: url, Name: "gw-1" });
  const { Error: error } = await sandbox.becomes(id, "Failed");
  expect(error?.Code).toBe("SensitiveContentDetected");
});

test("the journal has every asset and its outcome", async () => {
  const sandbox = await assetSandbox();
  const name = "gw-1 [sandbox:fail]";
  const id = await sandbox.register({ URL: url, Name: name });
  await sandbox.becomes(id, "Failed");
  const lines = readFileSync(join(sandbox.dir, "sandbox.jsonl"), "utf8").trim().split("\n");
  const common = { at: expect.any(Number), event: "asset", assetId: id, name };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...common, from: null, to: "Processing", code: null },
    { ...common, from: "Processing", to: "Failed", code: "InternalError" },
  ]);
});

test("a video takes an asset once it is Active and of the right type, and shows its bytes", async () => {
  const sandbox = await assetSandbox({ isDraft: false });
  const files = await fileServer({ "/a.png": await makeImage("color=red:s=400x400") });
  const URL = `${files.url}/a.png`;
  const [active, hung, failed] = [
    await sandbox.register({ URL }),
    await sandbox.register({ URL, Name: "[sandbox:hang]" }),
    await sandbox.register({ URL, Name: "[sandbox:fail]" }),
  ];
  await sandbox.becomes(active, "Active");
  await sandbox.becomes(failed, "Failed");
  const create = (id: string, kind = "image_url", role = "reference_image") =>
    sandbox.create("a fox", {
      content: [
        { type: "text", text: "a fox" },
        { type: kind, [kind]: { url: `asset://${id}` }, role },
      ],
      resolution: "480p",
      ratio: "16:9",
      duration: 4,
      generate_audio: false,
    });
  for (const id of [hung, failed]) {
    expect(await create(id)).toMatchObject({
      status: 400,
      body: { error: { code: "InvalidParameter", param: "content.image_url" } },
    });
  }
  expect(await create(active, "video_url", "reference_video")).toMatchObject({
    status: 400,
    body: { error: { code: "InvalidParameter", param: "content.video_url" } },
  });
  const accepted = await create(active);
  const { id } = z.object({ id: z.string() }).parse(accepted.body);
  const { content } = await sandbox.reaches(id, "succeeded");
  const size = { width: 864, height: 496 };
  const [frame] = await readFrames(content?.video_url ?? "", [48], size);
  const thumbnail = { x: 60, y: 400, width: 30, height: 30 };
  expect(distance(frame?.(thumbnail) ?? [], [255, 0, 0])).toBeLessThan(20);
});

test("what waits in review when the sandbox stops keeps nothing alive", async () => {
  const sandbox = await assetSandbox();
  const files = await fileServer({});
  await sandbox.register({ URL: `${files.url}/silent` });
  await until("the download has begun", () => (files.asked.length > 0 ? true : undefined));
  await sandbox.stop();
});
