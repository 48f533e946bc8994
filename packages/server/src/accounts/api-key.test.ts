import { expect, test } from "vitest";
import { hashApiKey, isWellFormedApiKey, newApiKey } from "./api-key.ts";

test("a new key is well formed, begins with its hint and matches its hash", () => {
  const { key, hint, hash } = newApiKey();
  expect(key).toMatch(/^zoe_live_[0-9A-Za-z]{38}$/);
  expect(isWellFormedApiKey(key)).toBe(true);
  expect(key.startsWith(hint)).toBe(true);
  expect(hint.length).toBeLessThan(16);
  expect(hashApiKey(key).equals(hash)).toBe(true);
});

test("a key with any one character changed is not well formed", () => {
  const { key } = newApiKey();
  for (let at = 0; at < key.length; at++) {
    const other = key.charAt(at) === "x" ? "y" : "x";
    expect(isWellFormedApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
  }
});

test("texts of the wrong length or prefix are not well formed", () => {
  const { key } = newApiKey();
  for (const text of ["", "zoe_live_", key.slice(0, -1), `${key}0`, key.replace("zoe", "foo")])
    expect(isWellFormedApiKey(text)).toBe(false);
});
