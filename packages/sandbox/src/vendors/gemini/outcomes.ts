import { randomBytes } from "node:crypto";
import type { Answer } from "../../kit/image-answer.ts";
import type { VendorErrors } from "../../kit/image-handler.ts";
import { isNeutral, type NeutralOutcome } from "../../kit/script.ts";
import { detail, geminiError, invalidArgument } from "./errors.ts";

/** Why a prompt is blocked before anything is made: HTTP 200 without a candidate. */
const blockReasons = ["SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY"];

/** Why a candidate has no image, with HTTP 200. `STOP` is then a candidate with text only. */
const finishReasons = [
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "SAFETY",
  "PROHIBITED_CONTENT",
  "SPII",
  "BLOCKLIST",
  "IMAGE_RECITATION",
  "RECITATION",
  "NO_IMAGE",
  "IMAGE_OTHER",
  "OTHER",
  "MAX_TOKENS",
  "STOP",
];

const scriptedDetail = "The sandbox was scripted to answer like this.";

/** The responses that are errors for HTTP too. */
const errors: Record<string, () => Answer> = {
  INVALID_ARGUMENT: () => invalidArgument("Request contains an invalid argument."),
  FAILED_PRECONDITION: noBilling,
  API_KEY_INVALID: wrongKey,
  PERMISSION_DENIED: () => geminiError("PERMISSION_DENIED", "The caller does not have permission."),
  NOT_FOUND: () => modelNotFound("the-model"),
  RESOURCE_EXHAUSTED: () => exhausted(500),
  INTERNAL: internal,
  UNAVAILABLE: () => geminiError("UNAVAILABLE", "The model is overloaded. Try again later."),
  DEADLINE_EXCEEDED: () => geminiError("DEADLINE_EXCEEDED", "Deadline expired before completion."),
};

/**
 * Gemini's response to each neutral outcome. It has no separate one for real persons: an input
 * image that is not safe comes nearest. Its only response to a missing payment is
 * FAILED_PRECONDITION.
 */
const neutral: Record<NeutralOutcome, (detail: string) => Answer> = {
  input_blocked: () => promptBlocked("PROHIBITED_CONTENT"),
  output_blocked: () => finished("IMAGE_SAFETY"),
  copyright_blocked: () => finished("IMAGE_RECITATION"),
  real_person_blocked: () => promptBlocked("IMAGE_SAFETY"),
  input_unusable: (why) => invalidArgument(`Unable to process input image. ${why}`),
  input_unreachable: (why) => invalidArgument(`Cannot fetch content from the provided URL. ${why}`),
  vendor_refused: () => invalidArgument("Request contains an invalid argument."),
  vendor_failed: () => finished("IMAGE_OTHER"),
  vendor_unavailable: noBilling,
};

export const geminiErrors: VendorErrors = {
  vendor: "gemini",
  outcome(name, stage, why = scriptedDetail) {
    if (isNeutral(name)) return neutral[name](why);
    if (Object.hasOwn(errors, name)) return errors[name]?.();
    if (stage === "refuse") return blockReasons.includes(name) ? promptBlocked(name) : undefined;
    return finishReasons.includes(name) ? finished(name) : undefined;
  },
  throttled: exhausted,
  invalidPrompt: (message) => invalidArgument(message, "contents"),
  internal,
};

export function internal(): Answer {
  return geminiError("INTERNAL", "An internal error has occurred. Please retry or report it.");
}

export function modelNotFound(model: string): Answer {
  const message = `models/${model.slice(0, 100)} is not found for API version v1beta, or is not supported for generateContent.`;
  return geminiError("NOT_FOUND", message);
}

export function noKey(): Answer {
  const message = "Method doesn't allow unregistered callers. Please use API Key to call this API.";
  return geminiError("PERMISSION_DENIED", message);
}

/** An unknown key is an invalid argument to Google; only the details distinguish it. */
export function wrongKey(): Answer {
  const message = "API key not valid. Please pass a valid API key.";
  const metadata = { service: "generativelanguage.googleapis.com" };
  const info = { reason: "API_KEY_INVALID", domain: "googleapis.com", metadata };
  return geminiError("INVALID_ARGUMENT", message, [detail("ErrorInfo", info)]);
}

function noBilling(): Answer {
  const message = "Gemini API free tier is not available in your country. Please enable billing.";
  return geminiError("FAILED_PRECONDITION", message);
}

function exhausted(waitMs: number): Answer {
  const retryDelay = `${(Math.ceil(waitMs) / 1_000).toFixed(3)}s`;
  const message = `You exceeded your current quota. Please retry in ${retryDelay}.`;
  const quota = { violations: [{ quotaId: "GenerateRequestsPerMinutePerProjectPerModel" }] };
  const details = [detail("QuotaFailure", quota), detail("RetryInfo", { retryDelay })];
  return geminiError("RESOURCE_EXHAUSTED", message, details);
}

function promptBlocked(blockReason: string): Answer {
  const body = { promptFeedback: { blockReason }, ...answerEnd(0, 0) };
  return { httpStatus: 200, body, code: blockReason };
}

function finished(finishReason: string): Answer {
  const isTextOnly = finishReason === "STOP";
  const textParts = { parts: [{ text: "I can only describe such an image." }], role: "model" };
  const finishMessage = "Unable to show the generated image. Try rephrasing the prompt.";
  const candidate = isTextOnly ? { content: textParts } : { content: {}, finishMessage };
  const candidates = [{ ...candidate, finishReason, index: 0 }];
  return { httpStatus: 200, body: { candidates, ...answerEnd(8, 0) }, code: finishReason };
}

/** Returns the fields at the end of every response with HTTP 200. */
export function answerEnd(textTokens: number, candidatesTokenCount: number, imageTokens = 0) {
  const promptTokenCount = textTokens + imageTokens;
  const totalTokenCount = promptTokenCount + candidatesTokenCount;
  return {
    usageMetadata: {
      promptTokenCount,
      ...(promptTokenCount > 0 && {
        promptTokensDetails: [
          { modality: "TEXT", tokenCount: textTokens },
          ...(imageTokens > 0 ? [{ modality: "IMAGE", tokenCount: imageTokens }] : []),
        ],
      }),
      candidatesTokenCount,
      ...(candidatesTokenCount > 0 && {
        candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: candidatesTokenCount }],
      }),
      totalTokenCount,
    },
    modelVersion: "gemini-sandbox",
    responseId: randomBytes(16).toString("base64url"),
  };
}
