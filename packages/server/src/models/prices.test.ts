import { expect, test } from "vitest";
import { planRequest } from "./plan-request.ts";
import { priceOf } from "./prices.ts";

// The published table, written out by hand.
test.each([
  ["720p", 4, 24, 160],
  ["720p", 5, 30, 200],
  ["720p", 15, 90, 600],
  ["1080p", 4, 60, 400],
  ["1080p", 5, 75, 500],
  ["1080p", 15, 225, 1500],
])("sd2 %s for %d s costs %d credits under A and %d under B", (outputResolution, seconds, a, b) => {
  const request = planRequest("sd2", { prompt: "x", outputResolution, duration: `${seconds}s` });
  expect(priceOf(request, "A")).toBe(a);
  expect(priceOf(request, "B")).toBe(b);
});
