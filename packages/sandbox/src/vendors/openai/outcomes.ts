import type { Answer } from "../../kit/image-answer.ts";
import type { VendorErrors } from "../../kit/image-handler.ts";
import { retryAfter } from "../../kit/rate-limit.ts";
import { isNeutral, type NeutralOutcome } from "../../kit/script.ts";
import { invalidRequest, openaiError } from "./errors.ts";

type Stage = "refuse" | "fail";

const userError = { httpStatus: 400, type: "image_generation_user_error" };
const serverError = { type: "server_error", code: null, message: "The server had an error." };

/** Everything that can be scripted under a name of OpenAI's own; `detail` is about an input. */
const outcomes: Record<string, (stage: Stage, detail: string) => Answer> = {
  moderation_blocked: (stage) =>
    blocked(stage === "refuse" ? "input" : "output", ["violence"], "rejected by the safety system"),
  content_policy_violation: () => {
    const message = "Your request was rejected as a result of our safety system.";
    return invalidRequest("content_policy_violation", null, message);
  },
  invalid_value: () =>
    invalidRequest("invalid_value", "prompt", "The sandbox was scripted to refuse this request."),
  invalid_image_file: (_stage, detail) =>
    openaiError({
      ...userError,
      code: "invalid_image_file",
      param: "image",
      message: `Invalid image file or mode, please check your image file: ${detail}.`,
    }),
  invalid_image_url: (_stage, detail) => invalidRequest("invalid_image_url", "images", detail),
  invalid_api_key: () => wrongKey("Incorrect API key provided."),
  organization_not_verified: () =>
    openaiError({
      httpStatus: 403,
      type: "invalid_request_error",
      code: null,
      name: "organization_not_verified",
      message: "Your organization must be verified to use the model `gpt-image-2`.",
    }),
  rate_limit_exceeded: () => rateLimited(500),
  insufficient_quota: () =>
    openaiError({
      httpStatus: 429,
      type: "insufficient_quota",
      code: "insufficient_quota",
      message: "You exceeded your current quota, please check your plan and billing details.",
      headers: { "x-should-retry": "false" },
    }),
  request_timeout: () => openaiError({ ...serverError, httpStatus: 408, name: "request_timeout" }),
  conflict: () => openaiError({ ...serverError, httpStatus: 409, name: "conflict" }),
  server_error: internal,
  bad_gateway: () => openaiError({ ...serverError, httpStatus: 502, name: "bad_gateway" }),
  service_unavailable: () =>
    openaiError({ ...serverError, httpStatus: 503, name: "service_unavailable" }),
  gateway_timeout: () => openaiError({ ...serverError, httpStatus: 504, name: "gateway_timeout" }),
};

/**
 * OpenAI's response to each neutral outcome. It has no separate responses for copyright and real
 * persons: both are moderation, distinguished by the message alone. Nor does it have one for a
 * failure that surely cost nothing: a 500 leaves that open.
 */
const neutral: Record<NeutralOutcome, (detail: string) => Answer | undefined> = {
  input_blocked: () => blocked("input", ["violence"], "rejected by the safety system"),
  output_blocked: () => blocked("output", ["violence"], "rejected by the safety system"),
  copyright_blocked: () => blocked("output", ["other"], "rejected for similarity to third parties"),
  real_person_blocked: () => blocked("input", ["other"], "rejected for showing a real person"),
  input_unusable: (detail) => outcomes["invalid_image_file"]?.("refuse", detail),
  input_unreachable: (detail) => outcomes["invalid_image_url"]?.("refuse", detail),
  vendor_refused: () => outcomes["invalid_value"]?.("refuse", ""),
  vendor_failed: internal,
  vendor_unavailable: () => outcomes["insufficient_quota"]?.("refuse", ""),
};

const scriptedDetail = "the sandbox was scripted to";

export const openaiErrors: VendorErrors = {
  vendor: "openai",
  outcome(name, stage, detail = scriptedDetail) {
    if (isNeutral(name)) return neutral[name](detail);
    return Object.hasOwn(outcomes, name) ? outcomes[name]?.(stage, detail) : undefined;
  },
  throttled: rateLimited,
  invalidPrompt: (message) => invalidRequest("invalid_value", "prompt", message),
  internal,
};

export function wrongKey(message: string): Answer {
  const type = "invalid_request_error";
  return openaiError({ httpStatus: 401, type, code: "invalid_api_key", message });
}

export function internal(): Answer {
  return openaiError({ ...serverError, httpStatus: 500 });
}

function blocked(stage: "input" | "output", categories: string[], why: string): Answer {
  return openaiError({
    ...userError,
    code: "moderation_blocked",
    message: `Your request was ${why}.`,
    more: { moderation_details: { moderation_stage: stage, categories } },
  });
}

function rateLimited(waitMs: number): Answer {
  const wait = Math.ceil(waitMs);
  return openaiError({
    httpStatus: 429,
    type: "requests",
    code: "rate_limit_exceeded",
    message: `Rate limit reached for gpt-image-2 on images per min. Please try again in ${wait}ms.`,
    headers: { "retry-after-ms": String(wait), "retry-after": retryAfter(wait) },
  });
}
