import { expect, test } from "vitest";
import { readRefusal, type Verdict } from "../read-refusal.ts";
import { failureOfFinishReason, retryDelayMsOf, verdictOf } from "./errors.ts";
import { errorSchema } from "./wire.ts";

const parse = (error: object) => errorSchema.parse({ error }).error;
const badKey = {
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason: "API_KEY_INVALID",
  domain: "googleapis.com",
};
const quota =
  "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.";
const cap =
  "Your project has exceeded its monthly spending cap. Please go to AI Studio at https://ai.studio/spend to manage it.";
const prepaid =
  "Your prepayment credits are depleted. Please go to AI Studio at https://ai.studio/projects to manage your project and billing.";

test.each<[number, string, string, object[], Verdict]>([
  [400, "INVALID_ARGUMENT", "Invalid value at 'generation_config'", [], "vendor_refused"],
  [400, "INVALID_ARGUMENT", "Unable to process input image.", [], "input_unusable"],
  [400, "INVALID_ARGUMENT", "Provided image is not valid.", [], "input_unusable"],
  [400, "INVALID_ARGUMENT", "Unsupported MIME type: image/bmp", [], "input_unusable"],
  [413, "INVALID_ARGUMENT", "Request payload size exceeds the limit", [], "input_unusable"],
  [400, "INVALID_ARGUMENT", "API key not valid. Please pass one.", [], "vendor_unavailable"],
  [400, "INVALID_ARGUMENT", "Bad key", [badKey], "vendor_unavailable"],
  [400, "FAILED_PRECONDITION", "User location is not supported.", [], "vendor_unavailable"],
  [401, "UNAUTHENTICATED", "Request had invalid credentials.", [], "vendor_unavailable"],
  [403, "PERMISSION_DENIED", "Your API key was reported as leaked.", [], "vendor_unavailable"],
  [404, "NOT_FOUND", "models/x is not found for API version v1beta", [], "vendor_unavailable"],
  [429, "RESOURCE_EXHAUSTED", "Resource has been exhausted.", [], "throttled"],
  [429, "RESOURCE_EXHAUSTED", quota, [], "throttled"],
  [429, "RESOURCE_EXHAUSTED", cap, [], "vendor_unavailable"],
  [429, "RESOURCE_EXHAUSTED", prepaid, [], "vendor_unavailable"],
])("%i %s %j is refused the right way", (httpStatus, status, message, details, failure) => {
  const fault = parse({ code: httpStatus, status, message, details });
  const answer = { kind: "answered" as const, status: httpStatus, json: {}, retryAfterMs: null };
  const result = readRefusal(answer, { code: "", message }, () => verdictOf(httpStatus, fault));
  expect(result).toMatchObject(
    failure === "throttled" ? { kind: failure } : { kind: "refused", code: failure },
  );
});

test.each<[unknown, number | null]>([
  [[{ "@type": "type.googleapis.com/google.rpc.Help" }, { retryDelay: "34s" }], 34_000],
  [[{ retryDelay: "1.0001s" }], 1_001],
  [[{ retryDelay: "soon" }], null],
  [[{ retryDelay: 5 }], null],
  [[], null],
  [undefined, null],
  ["what", null],
])("details %j ask for a pause of %j ms", (details, delayMs) => {
  expect(retryDelayMsOf(parse({ status: "RESOURCE_EXHAUSTED", details }))).toBe(delayMs);
});

test.each<[string, ReturnType<typeof failureOfFinishReason>]>([
  ["IMAGE_SAFETY", "output_blocked"],
  ["IMAGE_PROHIBITED_CONTENT", "output_blocked"],
  ["SAFETY", "output_blocked"],
  ["PROHIBITED_CONTENT", "output_blocked"],
  ["SPII", "output_blocked"],
  ["BLOCKLIST", "output_blocked"],
  ["IMAGE_RECITATION", "copyright_blocked"],
  ["RECITATION", "copyright_blocked"],
  ["NO_IMAGE", "vendor_failed"],
  ["IMAGE_OTHER", "vendor_failed"],
  ["OTHER", "vendor_failed"],
  ["MAX_TOKENS", "vendor_failed"],
  ["STOP", "vendor_failed"],
  ["SOMETHING_NEW", "vendor_failed"],
  ["constructor", "vendor_failed"],
])("an answer that ends with %s and no image is %s", (reason, failure) => {
  expect(failureOfFinishReason(reason)).toBe(failure);
});
