import { expect, test } from "vitest";
import { longestGapMs } from "./longest-gap.ts";

test("an outage lasts from the last create before it to the first one after it", () => {
  expect(longestGapMs([0, 900, 1_000, 9_000, 9_100], { fromMs: 950, toMs: 9_050 })).toBe(8_000);
  expect(longestGapMs([900, 9_000], { fromMs: 1_000, toMs: 2_000 })).toBe(8_100);
});

test("what happened before and after the fault is not part of it", () => {
  const acceptedAt = [0, 5_000, 5_100, 5_300, 5_400, 20_000];
  expect(longestGapMs(acceptedAt, { fromMs: 5_050, toMs: 5_350 })).toBe(200);
});

test("an outage without an end lasts until the fault is over", () => {
  expect(longestGapMs([1_000], { fromMs: 2_000, toMs: 60_000 })).toBe(59_000);
});
