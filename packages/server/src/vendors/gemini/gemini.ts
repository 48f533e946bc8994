import assert from "node:assert";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { z } from "zod";
import type { Image } from "../../media/image/fit-image.ts";
import type { ImageRequest, ModelRequest } from "../../models/request.ts";
import { base64BytesOf, decodeBase64, encodeBase64 } from "../base64.ts";
import { type Answer, call, type JsonStream } from "../call.ts";
import { defineVendor, milliseconds, vendorAccountSettings } from "../define-vendor.ts";
import { detailOf } from "../detail.ts";
import { answerMemoryBytes, prepareImages } from "../input-images.ts";
import { readRefusal } from "../read-refusal.ts";
import { readUsage } from "../read-usage.ts";
import type { SubmitResult, Vendor } from "../vendor.ts";
import { vendorModelOf } from "../vendor-model.ts";
import { failureOfFinishReason, retryDelayMsOf, verdictOf } from "./errors.ts";
import { errorSchema, generatedSchema, imageOf, renderAround } from "./wire.ts";

export interface GeminiSettings {
  baseUrl: string;
  apiKey: string;
  models: Readonly<Partial<Record<string, string>>>;
  submitMsMax: number;
}

export const gemini = defineVendor({
  kind: "gemini",
  settings: z.strictObject({
    ...vendorAccountSettings({ "image-plus-2": "gemini-3.1-flash-image" }),
    submitMsMax: milliseconds.default(300_000),
  }),
  open: createGemini,
  freeCall: ({ baseUrl, apiKey }) => ({
    url: `${baseUrl}/models?pageSize=1`,
    headers: { "x-goog-api-key": apiKey },
  }),
});

const answerBytesMax = 64 * 1024 * 1024;
/** Ten such files have 94 MB in base64; the whole request may have 100 MB. */
const fileBytesMax = 7_000_000;

/**
 * Creates the client of Gemini. The response to a submit is the image. There is no job to poll: a lost
 * response is a lost image.
 */
export function createGemini(settings: GeminiSettings): Vendor {
  const { baseUrl, submitMsMax } = settings;
  return {
    takesFiles: true,
    imageRulesOf: () => null, // `imageOf` makes them fit
    submitMsMax,
    jobs: null,
    modelOf: (request) => vendorModelOf(settings, request),
    memoryBytesOf: (request) => answerMemoryBytes(request), // files are read while they are sent
    async submit(job) {
      const request = imageRequestOf(job);
      const model = vendorModelOf(settings, request);
      const prepared = await prepareImages(job, { sizeBytesMax: fileBytesMax, submitMsMax });
      if (prepared.kind !== "ready") return prepared;
      const answer = await call({
        method: "POST",
        url: `${baseUrl}/models/${encodeURIComponent(model)}:generateContent`,
        headers: { "x-goog-api-key": settings.apiKey },
        stream: await streamOf(request, prepared.images),
        totalMsMax: prepared.callMsMax,
        answerBytesMax,
      });
      return readSubmit(answer);
    },
  };
}

/** The body as JSON, whose images are read and encoded while it is sent. */
async function streamOf(request: ImageRequest, images: readonly Image[]): Promise<JsonStream> {
  const texts = renderAround(
    request,
    images.map(({ contentType }) => contentType),
  );
  const sizes = await Promise.all(images.map(sizeOf));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, bytes) => total + bytes, 0);
  const sizeBytes =
    sum(texts.map((text) => Buffer.byteLength(text))) + sum(sizes.map(base64BytesOf));
  async function* write() {
    for (const [index, text] of texts.entries()) {
      yield text;
      const image = images[index];
      if (image !== undefined)
        yield* encodeBase64(image.kind === "file" ? createReadStream(image.path) : [image.bytes]);
    }
  }
  return { sizeBytes, write };
}

async function sizeOf(image: Image): Promise<number> {
  return image.kind === "file" ? (await stat(image.path)).size : image.bytes.length;
}

function imageRequestOf({ request }: { request: ModelRequest }): ImageRequest {
  assert(request.kind === "image", "Gemini makes images");
  return request;
}

/**
 * 503 UNAVAILABLE ("the model is overloaded") and 500 INTERNAL are unknown too. Google advises to
 * repeat them, and mostly they are given before any work; but nothing says so, they also end calls
 * that ran for a minute, there is no key that makes a repeat harmless and no list to check. Counting
 * them as refused would now and then pay for two images; like this, one caller gets a refund.
 */
function readSubmit(answer: Answer): SubmitResult {
  if (answer.kind !== "answered") return readRefusal(answer, null, () => undefined);
  const { status, json } = answer;
  if (status >= 200 && status < 300) return readGenerated(status, json);
  const fault = errorSchema.safeParse(json).data?.error;
  if (fault === undefined) return readRefusal(answer, null, () => undefined);
  const details = { code: fault.status, message: fault.message };
  const result = readRefusal(answer, details, () => verdictOf(status, fault));
  if (result.kind !== "throttled") return result;
  return { ...result, retryAfterMs: result.retryAfterMs ?? retryDelayMsOf(fault) };
}

/** A blocked request is a 200 as well: only an image is success. Without one, nothing more comes. */
function readGenerated(status: number, json: unknown): SubmitResult {
  const parsed = generatedSchema.safeParse(json);
  if (!parsed.success) return { kind: "unknown", detail: `status ${status}, not understood` };
  const image = imageOf(parsed.data);
  const usage = readUsage(parsed.data.usageMetadata);
  if (image !== undefined) {
    const bytes = decodeBase64(image);
    if (bytes !== null) return { kind: "delivered", bytes, usage };
    return { kind: "unknown", detail: `status ${status} with a broken image` };
  }
  const { candidates, promptFeedback } = parsed.data;
  if (promptFeedback?.blockReason) {
    const detail = detailOf(promptFeedback.blockReason, promptFeedback.blockReasonMessage ?? "");
    return { kind: "refused", code: "input_blocked", detail, usage };
  }
  const [candidate] = candidates ?? [];
  if (candidate === undefined)
    return { kind: "unknown", detail: `status ${status} without a candidate` };
  const reason = candidate.finishReason ?? "no finishReason";
  const detail = detailOf(reason, candidate.finishMessage ?? "");
  return { kind: "refused", code: failureOfFinishReason(reason), detail, usage };
}
