import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { APICallError, NoSuchModelError } from "@ai-sdk/provider";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { Zoetrope } from "@zoetrope/sdk";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import {
  generateImage,
  experimental_generateVideo as generateVideo,
  experimental_getVideoStatus as getVideoStatus,
  experimental_startVideo as startVideo,
  uploadFile,
} from "ai";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createZoetrope } from "../src/create-zoetrope.ts";
import type { ZoetropeSettings } from "../src/settings.ts";
import { type LosingProxy, startLosingProxy } from "./losing-proxy.ts";
import { runPages } from "./run-pages.ts";

/** The AI SDK looks for the first time after 5 s otherwise. */
const poll = { intervalMs: 10 };

let scratch: Scratch;
let stack: Stack;
let proxy: LosingProxy;
let image: Uint8Array;
beforeAll(async () => {
  vi.stubGlobal("AI_SDK_LOG_WARNINGS", false);
  scratch = await makeScratch("ai-sdk");
  stack = await startStack({
    dir: scratch.path,
    serverEnv: { POLL_FIRST_MS: "300", REVIEW_IMAGE: "manual" },
    sandboxEnv: { SANDBOX_DRAFT: "true", SANDBOX_QUEUED_MS: "0", SANDBOX_RUNNING_MS: "0" },
  });
  proxy = await startLosingProxy(stack.apiUrl);
  const path = join(scratch.path, "photo.png");
  await renderFile(path, ["-f", "lavfi", "-i", "testsrc2=s=640x640:d=1", "-frames:v", "1"]);
  image = new Uint8Array(await readFile(path));
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await stack.stop();
  await scratch.remove();
});

async function open(settings: ZoetropeSettings & { openTasksMax?: number; credits?: number } = {}) {
  const { openTasksMax = 10, credits = 10_000, ...rest } = settings;
  const account = await stack.openAccount({ name: "ai-sdk", credits, openTasksMax });
  const connection = { baseUrl: proxy.url, apiKey: account.key };
  const listed = async () => (await client.tasks.list()).items.map(({ taskId }) => taskId);
  const client = new Zoetrope(connection);
  return { zoetrope: createZoetrope({ ...connection, ...rest }), client, listed, ...account };
}

async function readSecret(key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${stack.apiUrl}/api/v1/webhooks/secret`, { headers });
  return ((await answer.json()) as { secret: string }).secret;
}

/** A person who approves the account's file once it waits for a review: a moment after it is stored. */
async function approveFile(key: string): Promise<void> {
  const client = new Zoetrope({ baseUrl: stack.apiUrl, apiKey: key });
  let assetId: number | undefined;
  const claim = async () => {
    const { items } = await client.assets.list({ status: "PROCESSING" });
    assetId = items.find(({ size }) => size !== null)?.assetId;
    if (assetId === undefined) return false;
    await stack.admin("POST", "/review/claim", { assetId }); // 404 until it waits
    return true;
  };
  await waitUntil("a file is in review", claim, { timeoutMs: 300_000 });
  await stack.admin("POST", "/review/approve", { assetId });
}

async function caught(failing: Promise<unknown>): Promise<unknown> {
  return failing.then(
    () => expect.unreachable("it did not fail"),
    (error: unknown) => error,
  );
}

test("a video plays; its task, price and link are in the metadata, and its end is seen by waiting", async () => {
  const { zoetrope, listed } = await open();
  proxy.seen.requests.length = 0;
  const model = zoetrope.video("sd2");
  const prompt = "a heron";
  const result = await generateVideo({ model, prompt, duration: 4, aspectRatio: "1:1", poll });
  const path = join(scratch.path, "heron.mp4");
  await writeFile(path, result.video.uint8Array);
  const { width, height, seconds } = await probeVideo(path);
  expect([width, Math.round(seconds)]).toEqual([height, 4]);
  const looks = proxy.seen.requests.filter(({ path }) => path.includes("/queryTask"));
  expect(looks.length).toBeLessThan(8);
  expect(result.video.mediaType).toBe("video/mp4");
  expect(result.warnings).toEqual([]);
  const [taskId] = await listed();
  expect(result.providerMetadata["zoetrope"]).toMatchObject({
    taskIds: [taskId],
    videos: [{ taskId, creditsUsed: 24, url: expect.stringMatching(/^http/), width }],
  });
});

test("a lost answer makes no second video, whoever repeats the request", async () => {
  const inside = await open();
  const outside = await open({ retriesMax: 0 }); // the AI SDK repeats doStart with the same key
  for (const { zoetrope, listed, key } of [inside, outside]) {
    proxy.lose = 1;
    const model = zoetrope.video("sd2");
    const prompt = { image, text: "it moves" };
    await Promise.all([generateVideo({ model, prompt, poll }), approveFile(key)]);
    expect(proxy.lose).toBe(0);
    expect(await listed()).toHaveLength(1);
  }
});

test("a lost answer makes no second image: the error is not retryable and has the key", async () => {
  const { zoetrope, listed, key } = await open();
  proxy.lose = 1;
  const model = zoetrope.image("image-plus-2");
  await generateImage({ model, prompt: "a fox", size: "1024x1024" });
  expect(await listed()).toHaveLength(1);

  const hasty = createZoetrope({ baseUrl: proxy.url, apiKey: key, retriesMax: 0 });
  proxy.lose = 1;
  const call = { model: hasty.image("image-plus-2"), prompt: "an owl", size: "1024x1024" } as const;
  const error = await caught(generateImage(call));
  expect(APICallError.isInstance(error)).toBe(true);
  expect(error).toMatchObject({ isRetryable: false, data: { code: null } });
  expect(proxy.lose).toBe(0); // it was not called again
  const { idempotencyKey } = (error as APICallError).data as { idempotencyKey: string };
  await generateImage({ ...call, headers: { "Idempotency-Key": idempotencyKey } });
  expect(await listed()).toHaveLength(2);
});

test("n: 3 with the caller's own key makes three tasks, and three only when it is repeated", async () => {
  const { zoetrope, listed } = await open({ openTasksMax: 2 }); // the third waits for room
  const headers = { "Idempotency-Key": "order-7" };
  const call = { prompt: "a fox", n: 3, headers, maxRetries: 0 };
  const images = { ...call, model: zoetrope.image("image-plus-2"), size: "1024x1024" } as const;
  expect((await generateImage(images)).images).toHaveLength(3);
  const first = await listed();
  expect(new Set(first).size).toBe(3);
  const again = await generateImage(images);
  expect(await listed()).toEqual(first);
  const reported = again.providerMetadata["zoetrope"]?.images as { taskId: string }[];
  expect(reported.map(({ taskId }) => taskId).toSorted()).toEqual(first.toSorted());

  const key = { "idempotency-key": "order-8" };
  const videos = { ...call, n: 2, headers: key, model: zoetrope.video("sd2"), seed: 5, poll };
  const result = await generateVideo(videos);
  expect(result.videos).toHaveLength(2);
  expect((await generateVideo(videos)).providerMetadata).toMatchObject({
    zoetrope: { taskIds: result.providerMetadata["zoetrope"]?.["taskIds"] },
  });
  expect(await listed()).toHaveLength(5);
});

test("a call that is split in spite of its key is refused, since it would get one video thrice", async () => {
  const { zoetrope } = await open();
  const call = { prompt: "a fox", n: 3, maxVideosPerCall: 1, headers: { "idempotency-key": "9" } };
  const split = generateVideo({ ...call, model: zoetrope.video("sd2"), poll });
  await expect(split).rejects.toThrow("Leave maxVideosPerCall out");
});

test("where one of n cannot be created, the others are delivered with a warning", async () => {
  const { zoetrope } = await open({ credits: 5 });
  const model = zoetrope.image("image-plus-2");
  const call = { model, prompt: "a fox", size: "1024x1024" } as const; // 3 credits each
  const result = await generateImage({ ...call, n: 2 });
  expect(result.images).toHaveLength(1);
  expect(result.warnings).toEqual([
    { type: "other", message: expect.stringContaining("Only 1 of 2 were created") },
  ]);
});

test("an abort ends the waiting for a task that never ends, and every other call", async () => {
  const { zoetrope, client } = await open();
  const prompt = "a heron [sandbox:hang]";
  const model = zoetrope.video("sd2");
  const abort = new AbortController();
  const waiting = caught(generateVideo({ model, prompt, poll, abortSignal: abort.signal }));
  while ((await client.tasks.list()).items.length === 0);
  abort.abort();
  expect(await waiting).toMatchObject({ name: "AbortError" });
  const abortSignal = AbortSignal.abort();
  const started = await caught(startVideo({ model, prompt, abortSignal }));
  expect(started).toMatchObject({ name: "AbortError" });
  const generated = generateImage({ model: zoetrope.image("image-plus-2"), prompt, abortSignal });
  expect(await caught(generated)).toMatchObject({ name: "AbortError" });
});

test("a start outlives its process: the state is answered at once, or at the end with a signal", async () => {
  const { zoetrope } = await open();
  const model = zoetrope.video("sd2");
  const hanging = await startVideo({ model, prompt: "a heron [sandbox:hang]" });
  expect((await getVideoStatus(model, hanging)).status).toBe("pending");
  const started = await startVideo({ model, prompt: "a heron" });
  const operation = JSON.parse(JSON.stringify(started.operation));
  const abortSignal = AbortSignal.timeout(300_000);
  expect((await getVideoStatus(model, { operation, abortSignal })).status).toBe("completed");
  const foreign = getVideoStatus(model, { operation: { id: "x" } });
  await expect(foreign).rejects.toThrow("not an operation of this provider");
});

test("a webhook ends the waiting; one that is not the service's is a warning and ends nothing", async () => {
  const { key } = await open();
  const webhookSecret = await readSecret(key);
  await using receiver = await startReceiver();
  const webhook = async () => {
    const count = receiver.received.length + 1;
    const received = receiver.arrived(count).then((all) => {
      const { headers, body } = all[count - 1] ?? { headers: {}, body: "" };
      return { headers: headers as Record<string, string>, body: JSON.parse(body) };
    });
    return { url: receiver.hookUrl, received };
  };
  const call = { prompt: "a heron", webhook };
  const genuine = createZoetrope({ baseUrl: proxy.url, apiKey: key, webhookSecret });
  const result = await generateVideo({ ...call, model: genuine.video("sd2") });
  expect(result.videos).toHaveLength(1);
  expect(result.warnings).toEqual([]);

  const other = `whsec_${Buffer.from("another").toString("base64")}`;
  const wrong = createZoetrope({ baseUrl: proxy.url, apiKey: key, webhookSecret: other });
  const warned = await generateVideo({ ...call, model: wrong.video("sd2") });
  expect(warned.videos).toHaveLength(1);
  expect(warned.warnings).toEqual([
    { type: "other", message: expect.stringContaining("The signature is wrong") },
  ]);
});

test("a task that fails says why: its code is in the error", async () => {
  const { zoetrope } = await open();
  const prompt = "a heron [sandbox:fail=output_blocked]";
  const model = zoetrope.video("sd2");
  await expect(generateVideo({ model, prompt, poll })).rejects.toThrow("output_blocked");
  const error = await caught(generateImage({ model: zoetrope.image("image-pro-2"), prompt }));
  expect(error).toMatchObject({ isRetryable: false, data: { code: "output_blocked" } });
});

test("refusals have status, code and parameter, and say whether a retry may help", async () => {
  const { zoetrope, listed } = await open({ openTasksMax: 1 });
  const model = zoetrope.video("sd2");
  const tooLong = await caught(generateVideo({ model, prompt: "a fox", duration: 99, poll }));
  expect(tooLong).toMatchObject({
    statusCode: 400,
    isRetryable: false,
    data: { param: "inputs.duration", requestId: expect.any(String) },
  });
  const providerOptions = { zoetrope: { maxCredits: 1 } };
  const tooDear = await caught(generateVideo({ model, prompt: "a fox", providerOptions, poll }));
  expect(tooDear).toMatchObject({ statusCode: 402, data: { code: "price_above_max" } });
  await startVideo({ model, prompt: "a heron [sandbox:hang]" });
  const full = await caught(startVideo({ model, prompt: "a fox", maxRetries: 0 }));
  const data = { code: "concurrency_limit" };
  expect(full).toMatchObject({ statusCode: 429, isRetryable: true, data });
  const call = { prompt: "a fox", maxRetries: 0 };
  const image = await caught(generateImage({ ...call, model: zoetrope.image("image-pro-2") }));
  expect(image).toMatchObject({ statusCode: 429, isRetryable: true }); // nothing was created
  expect(await listed()).toHaveLength(1);
  const stranger = createZoetrope({ baseUrl: proxy.url, apiKey: "zoe_live_none" });
  const unknown = await caught(generateVideo({ ...call, model: stranger.video("sd2") }));
  expect(unknown).toMatchObject({ statusCode: 401, isRetryable: false });
});

test("a model that is newer than the package is used with its own inputs; one that the service does not have is none", async () => {
  const names = { '"newer-video"': '"sd2-fast"', '"newer-image"': '"image-plus-2"' };
  /** The service has these models by the names that the package does not know. */
  const renaming: typeof fetch = (url, init) => {
    let { body } = init ?? {};
    for (const [newer, name] of Object.entries(names))
      if (typeof body === "string") body = body.replace(newer, name);
    return fetch(url, { ...init, body: body ?? null });
  };
  const { zoetrope, listed } = await open({ fetch: renaming });
  const drawn = await generateImage({
    model: zoetrope.image("newer-image"),
    prompt: { images: [image], text: "at night" },
    aspectRatio: "3:2",
    size: "1024x1024",
    providerOptions: { zoetrope: { resolution: "1k" } },
  });
  expect(drawn.image.mediaType).toMatch(/^image\//);
  expect(drawn.warnings).toMatchObject([{ type: "unsupported", feature: "size" }]);
  const model = zoetrope.video("newer-video");
  const providerOptions = { zoetrope: { resolution: "720x720" } };
  const call = { prompt: "a heron", duration: 4, resolution: "1280x720", poll } as const;
  const filmed = await generateVideo({ ...call, model, providerOptions });
  expect(filmed.videos).toHaveLength(1);
  expect(filmed.warnings).toMatchObject([{ type: "unsupported", feature: "resolution" }]);
  const square = { prompt: "a heron", aspectRatio: "1:1", poll } as const;
  expect(await caught(generateVideo({ ...square, model }))).toMatchObject({ statusCode: 400 });
  expect(await listed()).toHaveLength(2);

  const lost = [
    generateVideo({ ...square, model: zoetrope.video("none") }),
    generateImage({ model: zoetrope.image("none"), prompt: "a fox" }),
  ];
  for (const error of await Promise.all(lost.map(caught))) {
    expect(NoSuchModelError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ modelId: "none", message: expect.stringContaining("sd2") });
  }
});

test("bytes and uploaded files are inputs: an image edit at once, two frames and a reference once they are reviewed", async () => {
  const { zoetrope, client, key } = await open();
  const edited = await generateImage({
    model: zoetrope.image("image-plus-2"),
    prompt: { images: [image], text: "at night" },
    aspectRatio: "3:2",
    providerOptions: { zoetrope: { resolution: "1k" } },
  });
  expect(edited.image.mediaType).toMatch(/^image\//);
  expect((await client.assets.list()).items).toMatchObject([{ status: "PROCESSING" }]);
  const reviewed = approveFile(key);
  const frames = await generateVideo({
    model: zoetrope.video("sd2"),
    prompt: "it turns",
    frameImages: [
      { image, frameType: "first_frame" },
      { image, frameType: "last_frame" },
    ],
    poll,
  });
  expect(frames.videos).toHaveLength(1);
  await reviewed;
  const { providerReference } = await uploadFile({ api: zoetrope, data: image });
  const urls = [providerReference["zoetrope"] ?? ""];
  const options = { urls, videoInputMode: "reference", resolution: "720x720" };
  const referred = await generateVideo({
    model: zoetrope.video("sd2"),
    prompt: "image 1 at sea",
    providerOptions: { zoetrope: options },
    poll,
  });
  expect(referred.videos).toHaveLength(1);
  expect((await client.assets.list()).items).toHaveLength(1); // the same bytes are one asset
});

test("every program of the README and of the page for those who come from elsewhere runs", async () => {
  const { key } = await open();
  const dir = join(scratch.path, "pages");
  const secret = await readSecret(key);
  const reader = { dir, url: stack.apiUrl, key, secret, files: { "photo.png": image } };
  const pages = ["packages/ai-sdk/README.md", "docs/coming-from.md"];
  const [printed] = await Promise.all([runPages(pages, reader), approveFile(key)]);
  expect(printed).toEqual(expect.arrayContaining([expect.stringMatching(/^boat\.mp4 \d+/)]));
  expect(printed).toEqual(expect.arrayContaining([expect.stringMatching(/^http.* true$/)]));
  expect(printed).toContain("above maxCredits: price_above_max");
  expect(printed).toContain("failed, not charged: output_blocked");
  expect(printed).toEqual(expect.arrayContaining([expect.stringMatching(/ COMPLETED http/)]));
  for (const name of ["boat.mp4", "night.png"])
    expect((await probeVideo(join(dir, name))).width).toBeGreaterThan(256);
});
