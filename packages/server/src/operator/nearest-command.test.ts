import { expect, test } from "vitest";
import { nearestCommand } from "./nearest-command.ts";

const known = ["account create", "account webhooks", "key create", "key list", "stuck list"];

test.each([
  ["acount create", "account create"],
  ["account-create", "account create"],
  ["keys list", "key list"],
  ["create key", null],
  ["nonsense", null],
  ["", null],
])("%j is nearest to %j", (typed, expected) => {
  expect(nearestCommand(typed, known)).toBe(expected);
});
