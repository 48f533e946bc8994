import assert from "node:assert";
import { makeNoise } from "@zoetrope/testkit/make-media.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { imagePlus2 } from "../../src/models/image-plus-2.ts";
import { createGemini } from "../../src/vendors/gemini/gemini.ts";
import type { Vendor } from "../../src/vendors/vendor.ts";
import { describeVendor } from "./conformance.ts";
import { hostileUsages } from "./hostile-answers.ts";
import { imageJob, jobsFor, jpegOf, png, testFiles } from "./images.ts";

let jpeg: Buffer;
beforeAll(async () => {
  jpeg = await jpegOf(png);
});

function open(settings: { baseUrl: string; apiKey?: string; submitMsMax?: number }): Vendor {
  const usual = { apiKey: "sandbox-gemini-key", submitMsMax: 25_000 };
  const models = { "image-plus-2": "gemini-3.1-flash-image" };
  return createGemini({ ...usual, ...settings, models });
}

const imageJobs = jobsFor(imagePlus2, open);
const { plan, jobWith, submitTo } = imageJobs;

const image = Buffer.from("an image");
const imagePart = (bytes: Buffer) => ({
  inlineData: { mimeType: "image/png", data: bytes.toString("base64") },
});
const finished = (finishReason: string, parts: object[] = []) => ({
  candidates: [{ content: { role: "model", parts }, finishReason, index: 0 }],
  usageMetadata: { totalTokenCount: 1_300 },
  modelVersion: "gemini-3.1-flash-image",
  responseId: "r",
});
const submitted = finished("STOP", [imagePart(image)]);
const fault = (code: number, status: string, details: object[] = []) => ({
  error: { code, status, message: "words", details },
});

const sizes = [
  ["1k", "21:9", 1584, 672],
  ["2k", "4:5", 1856, 2304],
  ["4k", "9:16", 3072, 5504],
] as const;
const small = plan({ prompt: "a fox", resolution: "1k" });
describeVendor("Gemini", {
  path: "/gemini/v1beta",
  apiKey: "sandbox-gemini-key",
  open,
  request: (prompt) => ({ ...small, prompt }),
  requestWith: (prompt, url) => ({ ...small, prompt, mode: "edit", images: [{ url }] }),
  answers: { submitted, refused: fault(400, "INVALID_ARGUMENT", [{ reason: "x" }]) },
  refusals: [
    ["refuse=SAFETY", "input_blocked"],
    ["refuse=OTHER", "input_blocked"],
    ["refuse=BLOCKLIST", "input_blocked"],
    ["refuse=PROHIBITED_CONTENT", "input_blocked"],
    ["refuse=IMAGE_SAFETY", "input_blocked"],
    ["fail=IMAGE_SAFETY", "output_blocked"],
    ["fail=IMAGE_PROHIBITED_CONTENT", "output_blocked"],
    ["fail=SAFETY", "output_blocked"],
    ["fail=PROHIBITED_CONTENT", "output_blocked"],
    ["fail=SPII", "output_blocked"],
    ["fail=BLOCKLIST", "output_blocked"],
    ["fail=IMAGE_RECITATION", "copyright_blocked"],
    ["fail=RECITATION", "copyright_blocked"],
    ["fail=NO_IMAGE", "vendor_failed"],
    ["fail=IMAGE_OTHER", "vendor_failed"],
    ["fail=OTHER", "vendor_failed"],
    ["fail=MAX_TOKENS", "vendor_failed"],
    ["fail=STOP", "vendor_failed"],
    ["refuse=INVALID_ARGUMENT", "vendor_refused"],
    ["refuse=input_unusable", "input_unusable"],
    ["refuse=FAILED_PRECONDITION", "vendor_unavailable"],
    ["refuse=API_KEY_INVALID", "vendor_unavailable"],
    ["refuse=PERMISSION_DENIED", "vendor_unavailable"],
    ["refuse=NOT_FOUND", "vendor_unavailable"],
    ["refuse=RESOURCE_EXHAUSTED", "throttled"],
    ["refuse=INTERNAL", "unknown"],
    ["refuse=UNAVAILABLE", "unknown"],
    ["refuse=DEADLINE_EXCEEDED", "unknown"],
    ["no-such-directive", "vendor_refused"],
  ],
  used: {
    promptTokenCount: "2",
    "promptTokensDetails.TEXT": "2",
    candidatesTokenCount: "1120",
    "candidatesTokensDetails.IMAGE": "1120",
    totalTokenCount: "1122",
  },
  also(bed) {
    test("an odd report of what was used is unknown, and the image is taken", async () => {
      const odd = [
        ...hostileUsages,
        { promptTokensDetails: "x", candidatesTokensDetails: [{ modality: 1, tokenCount: {} }] },
        { candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: -1 }] },
      ];
      for (const usageMetadata of odd) {
        const vendor = bed.answering({ status: 200, body: { ...submitted, usageMetadata } });
        const delivered = { kind: "delivered", bytes: image, usage: null };
        const which = JSON.stringify(usageMetadata);
        expect(await vendor.submit(bed.job("a fox")), which).toEqual(delivered);
      }
    });

    test("a response without an image has its usage, and a refused request has none", async () => {
      const blocked = await bed.vendor.submit(bed.job("[sandbox:fail=IMAGE_SAFETY]"));
      expect(blocked).toMatchObject({
        kind: "refused",
        usage: { promptTokenCount: "8", candidatesTokenCount: "0", totalTokenCount: "8" },
      });
      const refused = await bed.vendor.submit(bed.job("[sandbox:refuse=INVALID_ARGUMENT]"));
      expect(refused).not.toHaveProperty("usage");
    });

    test.each(sizes)("a request of %s in %s is an image of %s by %s", async (...row) => {
      const [resolution, aspectRatio, width, height] = row;
      const request = plan({ prompt: "a fox", resolution, aspectRatio });
      const result = await bed.vendor.submit(bed.job("a fox", { request }));
      assert(result.kind === "delivered", JSON.stringify(result));
      expect(await sharp(result.bytes).metadata()).toMatchObject({ width, height });
    });

    test("a draft before the image is not taken for it", async () => {
      const request = plan({ prompt: "[sandbox:thought] a fox", resolution: "2k" });
      const result = await bed.vendor.submit(bed.job("", { request }));
      assert(result.kind === "delivered", JSON.stringify(result));
      expect(await sharp(result.bytes).metadata()).toMatchObject({ width: 2048 });
    });

    test("an edit takes ten files", async () => {
      const urls = Array.from({ length: 10 }, (_, index) => `https://example.com/${index}`);
      const request = plan({ prompt: "a fox", urls, resolution: "1k" });
      const job = imageJob(request, Array(10).fill(jpeg));
      expect(await bed.vendor.submit(job)).toMatchObject({ kind: "delivered" });
    });

    test("a quota says when to go on", async () => {
      const result = await bed.vendor.submit(bed.job("[sandbox:throttle]"));
      expect(result).toMatchObject({ kind: "throttled", retryAfterMs: 500 });
    });
  },
});

test("a submit is one call with our key, and its answer is the image", async () => {
  await using server = await startReceiver(() => ({ status: 200, body: submitted }));
  const vendor = open({ baseUrl: server.url });
  expect(vendor).toMatchObject({ takesFiles: true, jobs: null, submitMsMax: 25_000 });
  const delivered = { kind: "delivered", bytes: image, usage: { totalTokenCount: "1300" } };
  expect(await vendor.submit(jobWith([jpeg, png]))).toEqual(delivered);
  expect(server.received).toMatchObject([
    {
      path: "/models/gemini-3.1-flash-image:generateContent",
      headers: { "x-goog-api-key": "sandbox-gemini-key", "content-type": "application/json" },
    },
  ]);
  expect(JSON.parse(server.received[0]?.body ?? "").contents[0].parts).toEqual([
    { text: "a fox" },
    { inlineData: { mimeType: "image/jpeg", data: jpeg.toString("base64") } },
    { inlineData: { mimeType: "image/png", data: png.toString("base64") } },
  ]);
});

test("a file of more than 7 MB is sent smaller", async () => {
  const large = makeNoise(1600, 1600);
  expect(large.length).toBeGreaterThan(7_000_000);
  await using server = await startReceiver(() => ({ status: 200, body: submitted }));
  const result = await open({ baseUrl: server.url }).submit(jobWith([large]));
  expect(result.kind).toBe("delivered");
  const { inlineData } = JSON.parse(server.received[0]?.body ?? "").contents[0].parts[1];
  const bytes = Buffer.from(inlineData.data, "base64");
  expect(inlineData.mimeType).toBe("image/jpeg");
  expect(bytes.length).toBeLessThanOrEqual(7_000_000);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "jpeg", width: 1600 });
});

testFiles(imageJobs, (bytes) => finished("STOP", [imagePart(bytes)]));

test.each(["SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY"])(
  "a prompt that is blocked for %s is refused, though with a 200",
  async (blockReason) => {
    const body = { promptFeedback: { blockReason }, usageMetadata: {} };
    expect(await submitTo({ status: 200, body })).toEqual({
      kind: "refused",
      code: "input_blocked",
      detail: expect.stringContaining(blockReason),
      usage: null,
    });
  },
);

test.each([
  ["IMAGE_SAFETY", "output_blocked"],
  ["IMAGE_RECITATION", "copyright_blocked"],
  ["NO_IMAGE", "vendor_failed"],
  ["MAX_TOKENS", "vendor_failed"],
  ["STOP", "vendor_failed"],
])("an answer that ends with %s and text is refused as %s", async (reason, code) => {
  const result = await submitTo({ status: 200, body: finished(reason, [{ text: "no" }]) });
  expect(result).toEqual({
    kind: "refused",
    code,
    detail: expect.stringContaining(reason),
    usage: { totalTokenCount: "1300" },
  });
});

test.each([
  [408, "CANCELLED"],
  [409, "ABORTED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
  [504, "DEADLINE_EXCEEDED"],
])("%i %s is unknown", async (status, directive) => {
  expect(await submitTo({ status, body: fault(status, directive) })).toMatchObject({
    kind: "unknown",
  });
});

test.each<[number, object | string]>([
  [200, "<html>"],
  [200, {}],
  [200, { candidates: [] }],
  [200, finished("STOP", [{ inlineData: { mimeType: "image/png", data: "not base64" } }])],
  [200, fault(400, "INVALID_ARGUMENT")],
  [302, ""],
  [400, "<html>"],
  [400, [fault(400, "INVALID_ARGUMENT")]],
  [429, "slow down"],
])("%i with %j proves nothing", async (status, body) => {
  expect(await submitTo({ status, body })).toMatchObject({ kind: "unknown" });
});

test.each<[Record<string, string>, object[], number | null]>([
  [{ "retry-after": "9" }, [{ retryDelay: "34s" }], 9_000],
  [{}, [{ retryDelay: "34s" }], 34_000],
  [{}, [], null],
])("a rate limit with %j and %j is waited for", async (headers, details, retryAfterMs) => {
  const body = fault(429, "RESOURCE_EXHAUSTED", details);
  expect(await submitTo({ status: 429, body, headers })).toEqual({
    kind: "throttled",
    retryAfterMs,
    detail: "429 RESOURCE_EXHAUSTED: words",
  });
});
