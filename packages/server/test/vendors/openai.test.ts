import assert from "node:assert";
import { randomUUID } from "node:crypto";
import { makeNoise } from "@zoetrope/testkit/make-media.ts";
import { type ReceivedRequest, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { imagePro2 } from "../../src/models/image-pro-2.ts";
import { createOpenAi } from "../../src/vendors/openai/openai.ts";
import type { Vendor } from "../../src/vendors/vendor.ts";
import { describeVendor } from "./conformance.ts";
import { hostileUsages } from "./hostile-answers.ts";
import { imageJob, jobsFor, jpegOf, png, testFiles } from "./images.ts";

const model = "gpt-image-2";
let jpeg: Buffer;
beforeAll(async () => {
  jpeg = await jpegOf(png);
});

function open(settings: { baseUrl: string; apiKey?: string; submitMsMax?: number }): Vendor {
  const usual = { apiKey: "sandbox-openai-key", submitMsMax: 25_000 };
  return createOpenAi({ ...usual, ...settings, models: { "image-pro-2": model } });
}

const imageJobs = jobsFor(imagePro2, open);
const { plan, jobWith, submitTo } = imageJobs;

const image = Buffer.from("an image");
const submitted = {
  created: 1_780_000_000,
  data: [{ b64_json: image.toString("base64") }],
  output_format: "png",
  quality: "medium",
  size: "2048x2048",
  background: "opaque",
  usage: { input_tokens: 9, output_tokens: 4_160, total_tokens: 4_169 },
};
const usage = { input_tokens: "9", output_tokens: "4160", total_tokens: "4169" };
const fault = (change: object) => ({
  error: { message: "words", type: "invalid_request_error", param: null, code: null, ...change },
});

const sizes = [
  ["1k", "16:9", "webp", 1280, 720],
  ["2k", "3:4", "jpeg", 1536, 2048],
  ["4k", "1:1", "png", 2880, 2880],
] as const;
const small = plan({ prompt: "a fox", resolution: "1k" });
describeVendor("OpenAI", {
  path: "/openai/v1",
  apiKey: "sandbox-openai-key",
  open,
  request: (prompt) => ({ ...small, prompt }),
  requestWith: (prompt, url) => ({ ...small, prompt, mode: "edit", images: [{ url }] }),
  answers: { submitted, refused: fault({ code: "invalid_value", param: "size" }) },
  refusals: [
    ["refuse=moderation_blocked", "input_blocked"],
    ["fail=moderation_blocked", "output_blocked"],
    ["refuse=content_policy_violation", "input_blocked"],
    ["refuse=invalid_value", "vendor_refused"],
    ["refuse=invalid_image_file", "input_unusable"],
    ["refuse=invalid_api_key", "vendor_unavailable"],
    ["refuse=organization_not_verified", "vendor_unavailable"],
    ["refuse=rate_limit_exceeded", "throttled"],
    ["refuse=insufficient_quota", "vendor_unavailable"],
    ["refuse=request_timeout", "unknown"],
    ["refuse=conflict", "unknown"],
    ["refuse=server_error", "unknown"],
    ["refuse=bad_gateway", "unknown"],
    ["refuse=service_unavailable", "unknown"],
    ["refuse=gateway_timeout", "unknown"],
    ["fail", "unknown"],
    ["no-such-directive", "vendor_refused"],
  ],
  used: {
    input_tokens: "2",
    "input_tokens_details.image_tokens": "0",
    "input_tokens_details.text_tokens": "2",
    output_tokens: "1056",
    total_tokens: "1058",
  },
  also(bed) {
    test("an odd report of what was used is unknown, and the image is taken", async () => {
      for (const usage of hostileUsages) {
        const vendor = bed.answering({ status: 200, body: { ...submitted, usage } });
        const delivered = { kind: "delivered", bytes: image, usage: null };
        expect(await vendor.submit(bed.job("a fox")), JSON.stringify(usage)).toEqual(delivered);
      }
    });

    test.each(sizes)("a request of %s in %s, as %s, is an image of %s by %s", async (...row) => {
      const [resolution, aspectRatio, outputFormat, width, height] = row;
      const request = plan({ prompt: "a fox", resolution, aspectRatio, outputFormat });
      const result = await bed.vendor.submit(bed.job("a fox", { request }));
      assert(result.kind === "delivered", JSON.stringify(result));
      const facts = { format: outputFormat, width, height };
      expect(await sharp(result.bytes).metadata()).toMatchObject(facts);
    });

    test("an edit takes ten files, and the prompt arrives as it was", async () => {
      const mark = randomUUID();
      const urls = Array.from({ length: 10 }, (_, index) => `https://example.com/${index}`);
      const prompt = `a fox "in" fög & snow; --x ${mark}`;
      const job = imageJob(plan({ prompt, urls, resolution: "1k" }), Array(10).fill(jpeg));
      expect(await bed.vendor.submit(job)).toMatchObject({ kind: "delivered" });
      expect(await bed.sandbox.creates(prompt)).toHaveLength(1);
    });
  },
});

test("a generation is one JSON call with our key, and its answer is the image", async () => {
  await using server = await startReceiver(() => ({ status: 200, body: submitted }));
  const vendor = open({ baseUrl: server.url });
  expect(vendor).toMatchObject({ takesFiles: true, jobs: null, submitMsMax: 25_000 });
  expect(await vendor.submit(jobWith())).toEqual({ kind: "delivered", bytes: image, usage });
  expect(server.received).toMatchObject([
    {
      path: "/images/generations",
      headers: { authorization: "Bearer sandbox-openai-key", "content-type": "application/json" },
    },
  ]);
  expect(JSON.parse(server.received[0]?.body ?? "")).toMatchObject({ model, prompt: "a fox" });
});

test("an edit is one form with the files as they are, in the caller's order", async () => {
  await using server = await startReceiver(() => ({ status: 200, body: submitted }));
  const result = await open({ baseUrl: server.url }).submit(jobWith([jpeg, png]));
  expect(result).toEqual({ kind: "delivered", bytes: image, usage });
  const [call] = server.received;
  assert(call !== undefined && server.received.length === 1);
  expect(call.path).toBe("/images/edits");
  expect(call.headers["authorization"]).toBe("Bearer sandbox-openai-key");
  expect(call.headers["content-length"]).toBe(String(call.bytes.length));
  expect(await readForm(call)).toEqual([
    ["model", model],
    ["prompt", "a fox"],
    ["size", "2048x2048"],
    ["quality", "medium"],
    ["output_format", "png"],
    ["user", "e".repeat(64)],
    ["n", "1"],
    ["image[]", { name: "image-1.jpeg", type: "image/jpeg", bytes: jpeg }],
    ["image[]", { name: "image-2.png", type: "image/png", bytes: png }],
  ]);
});

async function readForm({ headers, bytes }: ReceivedRequest) {
  const type = { "content-type": String(headers["content-type"]) };
  const form = await new Response(new Uint8Array(bytes), { headers: type }).formData();
  const fields = [];
  for (const [name, value] of form) {
    if (typeof value === "string") fields.push([name, value]);
    else {
      const file = { name: value.name, type: value.type, bytes: await readBytes(value) };
      fields.push([name, file]);
    }
  }
  return fields;
}

async function readBytes(file: Blob): Promise<Buffer> {
  return Buffer.from(await file.arrayBuffer());
}

test("a file of 50 MB or more is sent smaller", async () => {
  const large = makeNoise(4200, 4200);
  expect(large.length).toBeGreaterThan(50_000_000);
  await using server = await startReceiver(() => ({ status: 200, body: submitted }));
  const result = await open({ baseUrl: server.url }).submit(jobWith([large]));
  expect(result.kind).toBe("delivered");
  expect(server.received[0]?.bytes.length).toBeLessThan(50_000_000);
});

test("inputs that take half of the time leave it at that: nothing is sent", async () => {
  await using server = await startReceiver(() => ({ status: 200, body: submitted }));
  const vendor = open({ baseUrl: server.url, submitMsMax: 0 });
  expect(await vendor.submit(jobWith(Array(10).fill(png)))).toMatchObject({ kind: "unavailable" });
  expect(server.received).toEqual([]);
});

testFiles(imageJobs, (bytes) => ({ data: [{ b64_json: bytes.toString("base64") }] }));

test.each([408, 409, 500, 502, 503, 504, 520])(
  "%i is unknown, whatever it says",
  async (status) => {
    const body = fault({ code: "server_error" });
    expect(await submitTo({ status, body })).toMatchObject({ kind: "unknown" });
  },
);

test.each<[number, object | string]>([
  [200, "<html>"],
  [200, { data: [] }],
  [200, { data: [{ b64_json: "not base64" }] }],
  [200, { data: [{ url: "https://example.com/a.png" }] }],
  [200, fault({})],
  [302, ""],
  [400, "<html>"],
  [400, { message: "words" }],
  [429, "slow down"],
])("%i with %j proves nothing", async (status, body) => {
  expect(await submitTo({ status, body })).toMatchObject({ kind: "unknown" });
});

test.each<[Record<string, string>, number | null]>([
  [{ "retry-after-ms": "1500", "retry-after": "9" }, 1_500],
  [{ "retry-after": "9" }, 9_000],
  [{}, null],
])("a rate limit with %j is waited for", async (headers, retryAfterMs) => {
  const body = fault({ type: "images", code: "rate_limit_exceeded" });
  expect(await submitTo({ status: 429, body, headers })).toEqual({
    kind: "throttled",
    retryAfterMs,
    detail: "429 rate_limit_exceeded: words",
  });
});

test.each<[Record<string, string>, object]>([
  [{ "x-ratelimit-remaining-requests": "49" }, { requestsLeft: 49 }],
  [{ "x-ratelimit-remaining-requests": "many" }, {}],
  [{}, {}],
])(
  "the requests that the vendor still allows, told by %j, are part of the result",
  async (headers, left) => {
    const body = fault({ code: "invalid_value", param: "size" });
    const { requestsLeft } = await submitTo({ status: 400, body, headers });
    expect(requestsLeft === undefined ? {} : { requestsLeft }).toEqual(left);
  },
);
