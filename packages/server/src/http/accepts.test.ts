import { expect, test } from "vitest";
import { prefersType } from "./accepts.ts";

test.each([
  ["text/event-stream", true],
  ["text/event-stream, application/json;q=0.9", true],
  ["text/event-stream, */*;q=0.5", true],
  ["text/event-stream;q=0.5, */*;q=0.8, application/json;q=0.1", true],
  ["application/json, text/event-stream", false],
  ["*/*, text/event-stream;q=0.5", false],
  ["application/*, text/event-stream;q=0.5", false],
  ["application/*;q=0.1, */*, text/event-stream;q=0.5", true],
  ["text/event-stream, */*", false],
  ["text/event-stream;q=0", false],
  ["*/*", false],
  [undefined, false],
])("Accept: %s asks for a stream: %s", (accept, isStream) => {
  expect(prefersType(accept, "text/event-stream")).toBe(isStream);
});
