import assert from "node:assert";
import { z } from "zod";
import type { ImageRequest, ModelRequest } from "../../models/request.ts";
import { decodeBase64 } from "../base64.ts";
import { type Answer, call } from "../call.ts";
import { defineVendor, milliseconds, vendorAccountSettings } from "../define-vendor.ts";
import { answerMemoryBytes, prepareImages } from "../input-images.ts";
import { readRefusal } from "../read-refusal.ts";
import { readUsage } from "../read-usage.ts";
import type { SubmitResult, Vendor } from "../vendor.ts";
import { vendorModelOf } from "../vendor-model.ts";
import { verdictOf } from "./errors.ts";
import { errorSchema, imagesSchema, renderEdit, renderGeneration } from "./wire.ts";

export interface OpenAiSettings {
  baseUrl: string;
  apiKey: string;
  models: Readonly<Partial<Record<string, string>>>;
  submitMsMax: number;
}

export const openai = defineVendor({
  kind: "openai",
  settings: z.strictObject({
    ...vendorAccountSettings({ "image-pro-2": "gpt-image-2" }),
    submitMsMax: milliseconds.default(300_000),
  }),
  open: createOpenAi,
  freeCall: ({ baseUrl, apiKey }) => ({
    url: `${baseUrl}/models`,
    headers: { authorization: `Bearer ${apiKey}` },
  }),
});

const answerBytesMax = 64 * 1024 * 1024;
const fileBytesMax = 50_000_000 - 1; // "less than 50 MB"

/**
 * Creates the client of OpenAI. The response to a submit is the image. There is no job to poll: a lost
 * response is a lost image.
 */
export function createOpenAi(settings: OpenAiSettings): Vendor {
  const headers = { authorization: `Bearer ${settings.apiKey}` };
  const { submitMsMax } = settings;
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
      const parts = { request, model, endUser: job.endUser };
      const prepared = await prepareImages(job, { sizeBytesMax: fileBytesMax, submitMsMax });
      if (prepared.kind !== "ready") return prepared;
      const answer = await call({
        method: "POST",
        headers,
        totalMsMax: prepared.callMsMax,
        answerBytesMax,
        ...(request.mode === "edit"
          ? { url: `${settings.baseUrl}/images/edits`, form: renderEdit(parts, prepared.images) }
          : { url: `${settings.baseUrl}/images/generations`, body: renderGeneration(parts) }),
      });
      return { ...readSubmit(answer), ...requestsLeftOf(answer) };
    },
  };
}

function imageRequestOf({ request }: { request: ModelRequest }): ImageRequest {
  assert(request.kind === "image", "OpenAI makes images");
  return request;
}

function requestsLeftOf(answer: Answer) {
  if (answer.kind !== "answered" || answer.requestsLeft === undefined) return {};
  return { requestsLeft: answer.requestsLeft };
}

/**
 * Reads the response to a submit. A lost response is never requested again: that would be a second image,
 * paid for twice.
 */
function readSubmit(answer: Answer): SubmitResult {
  if (answer.kind !== "answered") return readRefusal(answer, null, () => undefined);
  const { status, json } = answer;
  if (status >= 200 && status < 300) {
    const { data: images } = imagesSchema.safeParse(json);
    const bytes = images === undefined ? null : decodeBase64(images.data[0].b64_json);
    if (bytes !== null) return { kind: "delivered", bytes, usage: readUsage(images?.usage) };
  }
  const fault = errorSchema.safeParse(json).data?.error;
  if (fault === undefined) return readRefusal(answer, null, () => undefined);
  const { code, type, message } = fault;
  const details = { code: code ?? type ?? "", message };
  return readRefusal(answer, details, () => verdictOf(status, fault));
}
