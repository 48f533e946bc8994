import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accountNamed } from "../../../test/harness/named-ids.ts";
import { createPaces } from "./pace.ts";

let now = 1_000_000;
beforeEach(() => {
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

const pace = { burstBytes: 1_000, bytesPerSecondMax: 100 };

test("a burst comes at once, and what is beyond it at the pace", () => {
  const take = createPaces(pace).of(accountNamed("a"));
  expect(take(1_000)).toBe(0);
  expect(take(50)).toBe(500);
  now += 500;
  expect(take(100)).toBe(1_000);
});

test("the files of one account share its pace, and another account has its own", () => {
  const paces = createPaces(pace);
  const [first, second] = [paces.of(accountNamed("a")), paces.of(accountNamed("a"))];
  expect([first(600), second(600)]).toEqual([0, 2_000]);
  expect(paces.of(accountNamed("b"))(1_000)).toBe(0);
});

test("after a pause there is a burst again, and not two", () => {
  const take = createPaces(pace).of(accountNamed("a"));
  take(1_000);
  now += 60_000;
  expect(take(1_000)).toBe(0);
  expect(take(100)).toBe(1_000);
});
