import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { createClient } from "@zoetrope/testkit/api-client.ts";
import { makeImage, makeTone } from "@zoetrope/testkit/make-media.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { Client } from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorCatalogue } from "../src/errors.ts";

const cleanUp = new AsyncDisposableStack();
const endMsMax = 150_000;
let scratch: Scratch;
let stack: Stack;
let red: string;
let blue: string;
let tone: string;
let accountId: string;
let live: ReturnType<typeof createClient>;
beforeAll(async () => {
  scratch = cleanUp.use(await makeScratch("vendors"));
  const media = cleanUp.use(await serveFiles({ tlsDir: scratch.path }));
  red = media.offer(await makeImage("color=red:s=1280x720"));
  blue = media.offer(await makeImage("color=blue:s=1280x720"));
  tone = media.offer(await makeTone(440, 3, "mp3"));
  stack = cleanUp.use(
    await startStack({
      dir: scratch.path,
      serverEnv: {
        POLL_FIRST_MS: "500",
        SUBMIT_RETRY_MS: "1000",
        SWEEP_INTERVAL_MS: "300",
        STEP_RETRY_MS_MAX: "3000",
        VENDOR_BREAK_MS: "1", // faults come in a row here
        ...media.env,
      },
      vendorTimes: { submitMsMax: 6_000, lostMsMax: 20_000 },
      sandboxEnv: { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "200", ...media.env },
    }),
  );
  const account = { name: "vendors", credits: 100_000, openTasksMax: 100 };
  const opened = await stack.openAccount(account);
  accountId = opened.accountId;
  live = createClient(stack.apiUrl, opened.key);
  await insertVideoAsset();
});
afterAll(() => cleanUp.disposeAsync());

/** A video of the library, as far as rules and prices read it. */
async function insertVideoAsset(): Promise<void> {
  const db = new Client({ connectionString: stack.databaseOwnerUrl });
  await db.connect();
  await db.query(
    `insert into assets (account_id, upstream_asset_id, type, status, content_type, size_bytes, width, height, duration_ms)
     values ($1, 'asset-1-clip', 'VIDEO', 'ACTIVE', 'video/mp4', 1000000, 1280, 720, 4000)`,
    [accountId],
  );
  await db.end();
}

const inReference = () => ({
  videoInputMode: "reference",
  resolution: "1280x720",
  urls: [red, blue],
  videoUrls: ["asset://asset-1-clip"],
  audioUrls: [tone],
});

const videos: [model: string, mode: string, inputs: () => object, seconds: number][] = [
  ...(["sd2", "sd2-fast"] as const).flatMap((model): typeof videos => [
    [
      model,
      "text-to-video",
      () => ({ prompt: "a heron", resolution: "1280x720", duration: "4s" }),
      4,
    ],
    [model, "image-to-video", () => ({ urls: [red], duration: "4s" }), 4],
    [model, "keyframe", () => ({ urls: [red, blue], duration: "4s" }), 4],
    [model, "reference", () => ({ prompt: "Image 1", duration: "4s", ...inReference() }), 4],
  ]),
  ["happyhorse", "text-to-video", () => ({ prompt: "a heron", duration: "3" }), 3],
  ["happyhorse", "image-to-video", () => ({ urls: [red], duration: "3" }), 3],
  [
    "happyhorse",
    "reference-to-video",
    () => ({
      prompt: "character1 and character2",
      urls: [red, blue],
      videoWorkflowTab: "multi-reference",
      duration: "3",
    }),
    3,
  ],
];

async function fetchOutput(task: { output: { url: string }[] | null }): Promise<Buffer> {
  const response = await fetch(task.output?.[0]?.url ?? "");
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

describe.concurrent("every mode of every model ends as a file of ours", () => {
  test.for(videos)("%s %s: a video that plays", async ([model, _mode, inputs, seconds]) => {
    const taskId = await live.create(model, { ...inputs() });
    const task = await live.finished(taskId, endMsMax);
    expect(task).toMatchObject({ status: "COMPLETED", model });
    const path = join(scratch.path, `${taskId}.mp4`);
    await writeFile(path, await fetchOutput(task));
    const { width, height } = task.output?.[0] ?? {};
    const video = { seconds: expect.closeTo(seconds, 0), video: "h264", audio: "aac" };
    expect(await probeVideo(path)).toMatchObject({ ...video, width, height });
    expect(Math.min(width ?? 0, height ?? 0)).toBe(720);
  });

  test.for([
    [
      "image-pro-2",
      "text-to-image",
      { resolution: "2k", aspectRatio: "16:9" },
      [2048, 1152, "png"],
    ],
    ["image-pro-2", "edit", { resolution: "1k", outputFormat: "webp" }, [1024, 1024, "webp"]],
    [
      "image-plus-2",
      "text-to-image",
      { resolution: "1k", aspectRatio: "21:9" },
      [1584, 672, "png"],
    ],
    ["image-plus-2", "edit", { resolution: "1k", aspectRatio: "1:1" }, [1024, 1024, "png"]],
  ] as const)("%s %s: an image of the asked size", async ([model, mode, inputs, image]) => {
    const urls = mode === "edit" ? { urls: [red, blue] } : {};
    const taskId = await live.create(model, { prompt: "a heron", ...inputs, ...urls });
    const task = await live.finished(taskId, endMsMax);
    const [width, height, format] = image;
    expect(task).toMatchObject({ status: "COMPLETED", output: [{ width, height }] });
    expect(await sharp(await fetchOutput(task)).metadata()).toMatchObject({
      width,
      height,
      format,
    });
  });
});

describe("test mode", () => {
  let client: ReturnType<typeof createClient>;
  beforeAll(async () => {
    const wanted = { name: "rehearsal", mode: "test" };
    const created = await stack.admin("POST", `/accounts/${accountId}/keys`, wanted);
    expect(created["key"]).toMatch(/^zoe_test_/);
    client = createClient(stack.apiUrl, String(created["key"]));
  });

  /** The directive that causes each end; docs/test-mode.md lists them. */
  const directiveOf = {
    input_blocked: "fail=input_blocked",
    output_blocked: "fail=output_blocked",
    copyright_blocked: "fail=copyright_blocked",
    real_person_blocked: "fail=real_person_blocked",
    input_unreachable: "fail=input_unreachable",
    input_unusable: "fail=input_unusable",
    vendor_refused: "refuse=vendor_refused",
    vendor_failed: "fail=vendor_failed",
    vendor_unavailable: "refuse=vendor_unavailable",
    vendor_unconfirmed: "lost",
    output_unusable: "badvideo",
    task_expired: "expire",
  };
  /** These take a fault of this service, or its operator. */
  const withoutDirective = ["task_broken", "ended_by_operator"];

  test("has a directive for every way in which a task can fail", () => {
    const codes = Object.entries(errorCatalogue).flatMap(([code, { status }]) =>
      status === null ? [code] : [],
    );
    expect([...Object.keys(directiveOf), ...withoutDirective].sort()).toEqual(codes.sort());
  });

  test.concurrent.for(Object.entries(directiveOf))(
    "%s comes of [sandbox:%s] and costs nothing",
    async ([code, directive]) => {
      const taskId = await client.create("sd2", {
        prompt: `a heron [sandbox:${directive}]`,
        duration: "4s",
      });
      const task = await client.finished(taskId, endMsMax);
      expect(task).toMatchObject({ status: "FAILED", errorCode: code, creditsUsed: 0 });
    },
  );

  test("spends the credits of the twin, which nobody paid for, and sees none of the real tasks", async () => {
    const before = await live.balance();
    const twin = await client.balance();
    const taskId = await client.create("sd2", { prompt: "a heron", duration: "4s" });
    const task = await client.finished(taskId, endMsMax);
    expect(task).toMatchObject({ status: "COMPLETED", creditsUsed: 24 });
    expect(await live.balance()).toEqual(before);
    expect((await client.balance()).credits).toBe(twin.credits - 24);
    await expect(live.task(taskId)).rejects.toThrow("403");
  });
});
