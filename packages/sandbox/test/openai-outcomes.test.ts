import { expect, test } from "vitest";
import { neutralOutcomes } from "../src/kit/script.ts";
import { imagesForTest } from "./image-support.ts";

function openaiError(status: number, type: string, code: string | null, param: string | null) {
  return { status, body: { error: { message: expect.any(String), type, param, code } } };
}

const invalid = (code: string, param: string | null) =>
  openaiError(400, "invalid_request_error", code, param);
const model = "gpt-image-2";
const cheap = "[sandbox:badvideo]";

const server = "server_error";
const request = "invalid_request_error";

test.each<[string, number, string, string | null, string | null]>([
  ["content_policy_violation", 400, request, "content_policy_violation", null],
  ["invalid_value", 400, request, "invalid_value", "prompt"],
  ["invalid_image_file", 400, "image_generation_user_error", "invalid_image_file", "image"],
  ["invalid_image_url", 400, request, "invalid_image_url", "images"],
  ["invalid_api_key", 401, request, "invalid_api_key", null],
  ["organization_not_verified", 403, request, null, null],
  ["rate_limit_exceeded", 429, "requests", "rate_limit_exceeded", null],
  ["insufficient_quota", 429, "insufficient_quota", "insufficient_quota", null],
  ["request_timeout", 408, server, null, null],
  ["conflict", 409, server, null, null],
  [server, 500, server, null, null],
  ["bad_gateway", 502, server, null, null],
  ["service_unavailable", 503, server, null, null],
  ["gateway_timeout", 504, server, null, null],
])("refuse=%s answers %i, and so does fail", async (name, status, type, code, param) => {
  const sandbox = await imagesForTest();
  const expected = openaiError(status, type, code, param);
  expect(await sandbox.generate(`a fox [sandbox:refuse=${name}]`)).toMatchObject(expected);
  expect(await sandbox.generate(`a fox [sandbox:fail=${name}]`)).toMatchObject(expected);
  expect(sandbox.creates()).toMatchObject([
    { accepted: false, answer: status },
    { accepted: true, answer: status },
  ]);
});

test("a blocked request says at which stage: refuse before, fail after it was made", async () => {
  const sandbox = await imagesForTest();
  const blocked = (moderation_stage: string) => ({
    status: 400,
    body: {
      error: {
        message: expect.any(String),
        type: "image_generation_user_error",
        param: null,
        code: "moderation_blocked",
        moderation_details: { moderation_stage, categories: [expect.any(String)] },
      },
    },
  });
  const prompt = (directive: string) => `a fox [sandbox:${directive}]`;
  for (const [directive, stage] of [
    ["refuse=moderation_blocked", "input"],
    ["fail=moderation_blocked", "output"],
    ["refuse=input_blocked", "input"],
    ["fail=output_blocked", "output"],
    ["fail=copyright_blocked", "output"],
    ["refuse=real_person_blocked", "input"],
  ] as const) {
    expect(await sandbox.generate(prompt(directive)), directive).toMatchObject(blocked(stage));
  }
});

test("every neutral outcome has an answer, and a code of another vendor has none", async () => {
  const sandbox = await imagesForTest();
  const statuses: number[] = [];
  for (const outcome of neutralOutcomes) {
    const { status } = await sandbox.generate(`[sandbox:refuse=${outcome}]`);
    statuses.push(status);
    expect((await sandbox.generate(`[sandbox:fail=${outcome}]`)).status).toBe(status);
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400, 500, 429]);
  for (const directive of ["refuse=QuotaExceeded", "fail=IMAGE_SAFETY", "fail=constructor"]) {
    const answer = await sandbox.generate(`[sandbox:${directive}]`);
    expect(answer).toMatchObject(invalid("invalid_value", "prompt"));
  }
});

test("throttled and out of quota differ in their headers", async () => {
  const sandbox = await imagesForTest();
  const { headers } = await sandbox.generate("[sandbox:throttle]");
  expect(headers.get("retry-after-ms")).toBe("500");
  expect(headers.get("retry-after")).toBe("1");
  const quota = await sandbox.generate("[sandbox:refuse=insufficient_quota]");
  expect(quota.headers.get("x-should-retry")).toBe("false");
  expect(quota.headers.get("retry-after")).toBeNull();
});

test("the journal shows who requested what, and how often it was accepted", async () => {
  const sandbox = await imagesForTest();
  const prompt = `a fox ${cheap}`;
  await sandbox.generate(prompt, { user: "hash-of-someone" });
  await sandbox.generate(prompt, { n: 0 });
  await sandbox.generate(prompt);
  const common = { event: "create", vendor: "openai", jobId: null };
  expect(sandbox.creates()).toMatchObject([
    { ...common, accepted: true, answer: 200, code: null, model, prompt, user: "hash-of-someone" },
    { ...common, accepted: false, answer: 400, code: "integer_below_min_value", prompt: null },
    { ...common, accepted: true, answer: 200, model, prompt, user: null },
  ]);
});
