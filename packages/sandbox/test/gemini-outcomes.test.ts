import { expect, test } from "vitest";
import { neutralOutcomes } from "../src/kit/script.ts";
import { geminiParts, imagesForTest } from "./image-support.ts";

function geminiError(code: number, status: string, details: unknown = expect.any(Array)) {
  return { status: code, body: { error: { code, status, message: expect.any(String), details } } };
}

test.each(["SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY"])(
  "refuse=%s blocks the prompt with HTTP 200 and no candidate",
  async (blockReason) => {
    const sandbox = await imagesForTest();
    const answer = await sandbox.draw(`a fox [sandbox:refuse=${blockReason}]`);
    expect(answer).toMatchObject({ status: 200, body: { promptFeedback: { blockReason } } });
    expect(answer.body).not.toHaveProperty("candidates");
    expect(sandbox.creates()).toMatchObject([{ accepted: false, answer: 200, code: blockReason }]);
  },
);

test.each([
  ...["IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "SAFETY", "PROHIBITED_CONTENT", "SPII"],
  ...["BLOCKLIST", "IMAGE_RECITATION", "RECITATION"],
  ...["NO_IMAGE", "IMAGE_OTHER", "OTHER", "MAX_TOKENS"],
])("fail=%s finishes with HTTP 200 and nothing in the candidate", async (finishReason) => {
  const sandbox = await imagesForTest();
  const answer = await sandbox.draw(`a fox [sandbox:fail=${finishReason}]`);
  expect(answer).toMatchObject({
    status: 200,
    body: { candidates: [{ content: {}, finishReason, finishMessage: expect.any(String) }] },
  });
  expect(answer.body).not.toHaveProperty("promptFeedback");
  expect(sandbox.creates()).toMatchObject([{ accepted: true, answer: 200, code: finishReason }]);
});

test("fail=STOP finishes normally, with text and no image", async () => {
  const sandbox = await imagesForTest();
  const answer = await sandbox.draw("a fox [sandbox:fail=STOP]");
  expect(answer).toMatchObject({ status: 200, body: { candidates: [{ finishReason: "STOP" }] } });
  expect(geminiParts(answer)).toEqual([{ text: expect.any(String) }]);
});

test.each([
  ["INVALID_ARGUMENT", 400],
  ["FAILED_PRECONDITION", 400],
  ["PERMISSION_DENIED", 403],
  ["NOT_FOUND", 404],
  ["RESOURCE_EXHAUSTED", 429],
  ["INTERNAL", 500],
  ["UNAVAILABLE", 503],
  ["DEADLINE_EXCEEDED", 504],
])("refuse=%s answers %i, and so does fail", async (status, code) => {
  const sandbox = await imagesForTest();
  const expected = geminiError(code, status);
  expect(await sandbox.draw(`a fox [sandbox:refuse=${status}]`)).toMatchObject(expected);
  expect(await sandbox.draw(`a fox [sandbox:fail=${status}]`)).toMatchObject(expected);
  expect(sandbox.creates()).toMatchObject([
    { accepted: false, answer: code, code: status },
    { accepted: true, answer: code, code: status },
  ]);
});

test("throttled says when to come back, in the details", async () => {
  const sandbox = await imagesForTest();
  const retry = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "0.500s" };
  expect(await sandbox.draw("[sandbox:throttle]")).toMatchObject(
    geminiError(429, "RESOURCE_EXHAUSTED", expect.arrayContaining([retry])),
  );
});

test("every neutral outcome has an answer, and a code of another vendor has none", async () => {
  const sandbox = await imagesForTest();
  const said: unknown[] = [];
  for (const outcome of neutralOutcomes) {
    await sandbox.draw(`[sandbox:fail=${outcome}]`);
    said.push(sandbox.creates().at(-1)?.["code"]);
  }
  expect(said).toEqual([
    ...["PROHIBITED_CONTENT", "IMAGE_SAFETY", "IMAGE_RECITATION", "IMAGE_SAFETY"],
    ...["INVALID_ARGUMENT", "INVALID_ARGUMENT", "INVALID_ARGUMENT"],
    ...["IMAGE_OTHER", "FAILED_PRECONDITION"],
  ]);
  for (const directive of ["refuse=QuotaExceeded", "refuse=NO_IMAGE", "fail=moderation_blocked"]) {
    const answer = await sandbox.draw(`[sandbox:${directive}]`);
    expect(answer).toMatchObject(geminiError(400, "INVALID_ARGUMENT"));
  }
});
