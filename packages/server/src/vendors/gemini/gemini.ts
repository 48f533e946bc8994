import assert from "node:assert";
import { readFile } from "node:fs/promises";
import type { Picture } from "../../media/fit-picture.ts";
import type { ImageRequest, ModelRequest } from "../../models/request.ts";
import { type Answer, call } from "../call.ts";
import { decodeBase64 } from "../decode-base64.ts";
import { detailOf } from "../detail.ts";
import { answerMemoryBytes, preparePictures } from "../input-pictures.ts";
import { readRefusal } from "../read-refusal.ts";
import type { SubmitResult, Vendor } from "../vendor.ts";
import { failureOfFinishReason, retryDelayMsOf, verdictOf } from "./errors.ts";
import {
  errorSchema,
  generatedSchema,
  type InlinePicture,
  pictureOf,
  renderGenerate,
} from "./wire.ts";

export interface GeminiSettings {
  baseUrl: string;
  apiKey: string;
  models: Readonly<Partial<Record<"image-plus-2", string>>>;
  submitMsMax: number;
}

const answerBytesMax = 64 * 1024 * 1024;
/** Ten such files have 94 MB in base64; the whole request may have 100 MB. */
const fileBytesMax = 7_000_000;

/** The answer to a submit is the picture. There is no job to ask for: a lost answer is a lost picture. */
export function createGemini(settings: GeminiSettings): Vendor {
  const { baseUrl, submitMsMax } = settings;
  return {
    takesFiles: true,
    submitMsMax,
    jobs: null,
    // The files in base64, in the body's text and in the bytes that are sent.
    memoryBytesOf: (request, fileBytes) =>
      answerMemoryBytes(request) +
      fileBytes.reduce((sum, bytes) => sum + 4 * Math.min(bytes, fileBytesMax), 0),
    async submit(job) {
      const request = imagePlus2Of(job);
      const model = settings.models[request.model] ?? request.model;
      const prepared = await preparePictures(job, { sizeBytesMax: fileBytesMax, submitMsMax });
      if (prepared.kind !== "ready") return prepared;
      const answer = await call({
        method: "POST",
        url: `${baseUrl}/models/${encodeURIComponent(model)}:generateContent`,
        headers: { "x-goog-api-key": settings.apiKey },
        body: renderGenerate(request, await inline(prepared.pictures)),
        totalMsMax: prepared.callMsMax,
        answerBytesMax,
      });
      return readSubmit(answer);
    },
  };
}

/** One after the other: only the text of each is kept. */
async function inline(pictures: readonly Picture[]): Promise<InlinePicture[]> {
  const inlined: InlinePicture[] = [];
  for (const picture of pictures) {
    const bytes = "path" in picture ? await readFile(picture.path) : picture.bytes;
    inlined.push({ base64: bytes.toString("base64"), contentType: picture.contentType });
  }
  return inlined;
}

function imagePlus2Of({
  request,
}: {
  request: ModelRequest;
}): ImageRequest & { model: "image-plus-2" } {
  const { model } = request;
  assert(model === "image-plus-2", "Gemini serves image-plus-2");
  return { ...request, model };
}

/**
 * 503 UNAVAILABLE ("the model is overloaded") and 500 INTERNAL are unknown too. Google advises to
 * repeat them, and mostly they are given before any work; but nothing says so, they also end calls
 * that ran for a minute, there is no key that makes a repeat harmless and no list to check. Counting
 * them as refused would now and then pay for two pictures; like this, one caller gets a refund.
 */
function readSubmit(answer: Answer): SubmitResult {
  if (answer.kind !== "answered") return readRefusal(answer, null, () => undefined);
  const { status, json } = answer;
  if (status >= 200 && status < 300) return readGenerated(status, json);
  const fault = errorSchema.safeParse(json).data?.error;
  if (fault === undefined) return readRefusal(answer, null, () => undefined);
  const words = { code: fault.status, message: fault.message };
  const result = readRefusal(answer, words, () => verdictOf(status, fault));
  if (result.kind !== "throttled") return result;
  return { ...result, retryAfterMs: result.retryAfterMs ?? retryDelayMsOf(fault) };
}

/** A blocked request is a 200 as well: only a picture is success. Without one, nothing more comes. */
function readGenerated(status: number, json: unknown): SubmitResult {
  const parsed = generatedSchema.safeParse(json);
  if (!parsed.success) return { kind: "unknown", detail: `status ${status}, not understood` };
  const picture = pictureOf(parsed.data);
  if (picture !== undefined) {
    const bytes = decodeBase64(picture);
    if (bytes !== null) return { kind: "delivered", bytes };
    return { kind: "unknown", detail: `status ${status} with a broken picture` };
  }
  const { candidates, promptFeedback } = parsed.data;
  if (promptFeedback?.blockReason) {
    const detail = detailOf(promptFeedback.blockReason, promptFeedback.blockReasonMessage ?? "");
    return { kind: "refused", code: "input_blocked", detail };
  }
  const [candidate] = candidates ?? [];
  if (candidate === undefined)
    return { kind: "unknown", detail: `status ${status} without a candidate` };
  const reason = candidate.finishReason ?? "no finishReason";
  const detail = detailOf(reason, candidate.finishMessage ?? "");
  return { kind: "refused", code: failureOfFinishReason(reason), detail };
}
