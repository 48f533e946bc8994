import { expect, test } from "vitest";
import { withoutSwitches } from "./wire.ts";

test.each([
  ["a fox --dur 15", "a fox -- dur 15"],
  ["a fox --rs 1080p --wm true", "a fox -- rs 1080p -- wm true"],
  ["--seed=1", "-- seed=1"],
  ["---dur 15", "--- dur 15"],
  ["a---b", "a--- b"],
  ["two--dashes", "two-- dashes"],
  ["a - b -- c --", "a - b -- c --"],
  ["well-known", "well-known"],
])("%j reaches the vendor as %j: no switch is left in it", (prompt, sent) => {
  expect(withoutSwitches(prompt)).toBe(sent);
  expect(withoutSwitches(prompt)).not.toMatch(/--[^\s-]/);
});
