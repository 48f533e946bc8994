import { expect, test } from "vitest";
import { isLastSeen, readWait, wantsStream } from "./preferences.ts";

test.each([
  ["wait=1", 1],
  ["wait=60", 60],
  ["wait=61", 60],
  ["wait=99999999999999999999", 60],
  ["WAIT = 7", 7],
  ['wait="7"', 7],
  ["respond-async, wait=10;x=1", 10],
  ["wait=5, wait=9", 5],
])("Prefer: %s waits %i s", (prefer, seconds) => {
  expect(readWait(prefer)).toBe(seconds);
});

test.each([
  undefined,
  "",
  "wait",
  "wait=",
  "wait=0",
  "wait=-1",
  "wait=1.5",
  "wait=1e1",
  "wait=0x5",
  'wait="5',
  "wait=soon",
  "await=5",
  "wait=soon, wait=5", // the first one counts
])("Prefer: %s is not there", (prefer) => {
  expect(readWait(prefer)).toBeNull();
});

test.each([
  ["text/event-stream", true],
  ["Text/Event-Stream; charset=utf-8", true],
  ["application/json, text/event-stream", false],
  ["text/event-stream;q=0.5, */*;q=0.1", true],
  [undefined, false],
  ["", false],
  ["*/*", false],
  ["text/*", false],
  ["text/event-stream;q=0", false],
  ["application/json, text/event-stream;q=0.9", false],
])("Accept: %s is a stream: %s", (accept, isStream) => {
  expect(wantsStream(accept)).toBe(isStream);
});

test("Last-Event-ID is an ETag with or without its quotes", () => {
  expect(isLastSeen('"abc"', '"abc"')).toBe(true);
  expect(isLastSeen("abc", '"abc"')).toBe(true);
  expect(isLastSeen("abd", '"abc"')).toBe(false);
  expect(isLastSeen("", '"abc"')).toBe(false);
  expect(isLastSeen(undefined, '"abc"')).toBe(false);
});
