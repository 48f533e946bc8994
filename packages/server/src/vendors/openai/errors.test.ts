import { expect, test } from "vitest";
import { readRefusal, type Verdict } from "../read-refusal.ts";
import { verdictOf } from "./errors.ts";
import { errorSchema } from "./wire.ts";

const userError = "image_generation_user_error";
const badRequest = "invalid_request_error";
const stage = (moderation_stage: string) => ({
  type: userError,
  code: "moderation_blocked",
  moderation_details: { moderation_stage, categories: ["violence"] },
});

test.each<[number, object, Verdict]>([
  [400, { type: userError, code: "moderation_blocked" }, "input_blocked"],
  [400, stage("input"), "input_blocked"],
  [400, stage("unknown"), "input_blocked"],
  [400, stage("output"), "output_blocked"],
  [400, { type: badRequest, code: "content_policy_violation" }, "input_blocked"],
  [400, { type: badRequest, code: "invalid_value", param: "size" }, "vendor_refused"],
  [400, { type: badRequest, code: "unknown_parameter", param: "background" }, "vendor_refused"],
  [400, { type: badRequest, code: null, param: null }, "vendor_refused"],
  // "Value must be 'dall-e-2'": the images were not sent as image[]
  [400, { type: badRequest, code: "invalid_value", param: "model" }, "vendor_refused"],
  [400, { type: userError, code: null }, "vendor_refused"],
  [400, { type: badRequest, code: "invalid_image_file", param: null }, "input_unusable"],
  [400, { type: badRequest, code: "image_too_large", param: null }, "input_unusable"],
  [400, { type: badRequest, code: "invalid_value", param: "image[1]" }, "input_unusable"],
  [413, { type: badRequest, code: null }, "input_unusable"],
  [400, { type: badRequest, code: "billing_hard_limit_reached" }, "vendor_unavailable"],
  [401, { type: badRequest, code: "invalid_api_key" }, "vendor_unavailable"],
  [403, { type: badRequest, code: null }, "vendor_unavailable"],
  [404, { type: badRequest, code: "model_not_found" }, "vendor_unavailable"],
  [429, { type: "images", code: "rate_limit_exceeded" }, "throttled"],
  [429, { type: "tokens", code: "rate_limit_exceeded" }, "throttled"],
  [429, { type: "requests", code: null }, "throttled"],
  [429, { type: "insufficient_quota", code: "insufficient_quota" }, "vendor_unavailable"],
  [429, { type: "insufficient_quota", code: null }, "vendor_unavailable"],
  [429, { code: "organization_spend_limit_exceeded" }, "vendor_unavailable"],
  [429, { code: "project_spend_limit_exceeded" }, "vendor_unavailable"],
])("%i %j is %s", (status, fault, failure) => {
  const { error } = errorSchema.parse({ error: { message: "words", ...fault } });
  const answer = { kind: "answered" as const, status, json: {}, retryAfterMs: null };
  const result = readRefusal(answer, { code: "", message: "" }, () => verdictOf(status, error));
  expect(result).toMatchObject(
    failure === "throttled" ? { kind: failure } : { kind: "refused", code: failure },
  );
});
