import { expect, test } from "vitest";
import { describeSdkLine } from "./describe-sdk-line.ts";

test("a stack trace is a list of frames, of an error and of a text alike", () => {
  const error = new Error("no answer");
  const ofError = describeSdkLine(["Error when processing a Restate context operation.", error]);
  expect(ofError.reason).toBe(
    "Error when processing a Restate context operation. Error: no answer",
  );
  expect(ofError.stack?.[0]).toMatch(/^at .*describe-sdk-line\.test/);
  expect(describeSdkLine([`failed: ${error.stack}`])).toEqual({
    reason: "failed: Error: no answer",
    stack: ofError.stack,
  });
  expect(describeSdkLine(["Invocation", "retried"])).toEqual({ reason: "Invocation retried" });
});
