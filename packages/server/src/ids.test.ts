import fc from "fast-check";
import { expect, test } from "vitest";
import { isId, newId, shardOf, shardsMax } from "./ids.ts";

test("an id gives back the shard it was made with, for every shard", () => {
  for (let shard = 0; shard < shardsMax; shard++) expect(shardOf(newId(shard))).toBe(shard);
});

test("ids sort by the time they were made at, whatever their shard", () => {
  const time = fc.integer({ min: 0, max: 2 ** 47 });
  const shard = fc.integer({ min: 0, max: shardsMax - 1 });
  fc.assert(
    fc.property(time, time, shard, shard, (a, b, shardA, shardB) => {
      fc.pre(a < b);
      expect(newId(shardA, a) < newId(shardB, b)).toBe(true);
    }),
  );
});

test("what is not an id of ours is recognised as such", () => {
  expect(isId(newId(5))).toBe(true);
  const strange = ["", "1", "018f-", `${newId(0)}0`, newId(0).toUpperCase().replace(/^./, "G")];
  for (const text of strange) expect(isId(text)).toBe(false);
  expect(isId("123e4567-e89b-12d3-a456-426614174000")).toBe(false); // version 1
});
