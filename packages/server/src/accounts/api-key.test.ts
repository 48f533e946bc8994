import { expect, test } from "vitest";
import { hashApiKey, newApiKey, shardOfKey } from "./api-key.ts";

test("a new key is well formed, begins with its hint and matches its hash", () => {
  const { key, hint, hash } = newApiKey();
  expect(key).toMatch(/^zoe_live_[0-9A-Za-z]{38}$/);
  expect(shardOfKey(key, 1)).toBe(0);
  expect(key.startsWith(hint)).toBe(true);
  expect(hint.length).toBeLessThan(16);
  expect(hashApiKey(key).equals(hash)).toBe(true);
});

test("a key with any one character changed is not well formed", () => {
  const { key } = newApiKey();
  for (let at = 0; at < key.length; at++) {
    const other = key.charAt(at) === "x" ? "y" : "x";
    expect(shardOfKey(key.slice(0, at) + other + key.slice(at + 1), 1)).toBe(null);
  }
});

test("texts of the wrong length or prefix are not well formed", () => {
  const { key } = newApiKey();
  for (const text of ["", "zoe_live_", key.slice(0, -1), `${key}0`, key.replace("zoe", "foo")])
    expect(shardOfKey(text, 1)).toBe(null);
});

test("a key tells the shard where it was made, and is none where there are fewer shards", () => {
  for (const shard of [0, 1, 2, 1023]) {
    const { key } = newApiKey("live", shard);
    expect(shardOfKey(key, 1024)).toBe(shard);
    if (shard > 0) expect(shardOfKey(key, shard)).toBe(null);
  }
});
