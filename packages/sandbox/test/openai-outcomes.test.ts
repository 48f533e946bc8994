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
