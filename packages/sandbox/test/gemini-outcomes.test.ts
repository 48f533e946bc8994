import { expect, test } from "vitest";
import { neutralOutcomes } from "../src/kit/script.ts";
import { imagesForTest } from "./image-support.ts";

function geminiError(code: number, status: string, details: unknown = expect.any(Array)) {
  return { status: code, body: { error: { code, status, message: expect.any(String), details } } };
}

test("every neutral outcome has an answer, and a code of another vendor has none", async () => {
  const sandbox = await imagesForTest();
  const said: unknown[] = [];
  for (const outcome of neutralOutcomes) {
    await sandbox.draw(`[sandbox:fail=${outcome}]`);
    said.push(sandbox.creates().at(-1)?.["code"]);
  }
  expect(said).toEqual([
    "PROHIBITED_CONTENT",
    "IMAGE_SAFETY",
    "IMAGE_RECITATION",
    "IMAGE_SAFETY",
    "INVALID_ARGUMENT",
    "INVALID_ARGUMENT",
    "INVALID_ARGUMENT",
    "IMAGE_OTHER",
    "FAILED_PRECONDITION",
  ]);
  for (const directive of ["refuse=QuotaExceeded", "refuse=NO_IMAGE", "fail=moderation_blocked"]) {
    const answer = await sandbox.draw(`[sandbox:${directive}]`);
    expect(answer).toMatchObject(geminiError(400, "INVALID_ARGUMENT"));
  }
});
