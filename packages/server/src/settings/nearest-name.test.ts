import { expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

const known = ["account export", "account move", "ledger verify", "secrets list", "person enrol"];

test.each([
  ["acount move", "account move"],
  ["account-move", "account move"],
  ["secret list", "secrets list"],
  ["create key", null],
  ["nonsense", null],
  ["", null],
])("%j is nearest to %j", (typed, expected) => {
  expect(nearestName(typed, known)).toBe(expected);
});
