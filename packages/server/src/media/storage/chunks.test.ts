import { expect, test } from "vitest";
import { chunksOf, isChunkKey, newChunkStem } from "./chunks.ts";
import { isObjectKey, newObjectKey } from "./storage.ts";

const stem = newChunkStem();
const sizesOf = (sizeBytes: number) => chunksOf(stem, sizeBytes, 10).map((one) => one.sizeBytes);

test.each([
  [1, [1]],
  [9, [9]],
  [10, [10]],
  [11, [10, 1]],
  [30, [10, 10, 10]],
])("a file of %i bytes is cut into chunks of %j", (sizeBytes, sizes) => {
  expect(sizesOf(sizeBytes)).toEqual(sizes);
});

test("the keys of an upload's chunks are different, and keys of chunks and of objects", () => {
  const keys = chunksOf(stem, 1_000, 1).map(({ key }) => key);
  expect(new Set(keys).size).toBe(1_000);
  for (const key of keys) expect([isChunkKey(key), isObjectKey(key)]).toEqual([true, true]);
  expect(isChunkKey(newObjectKey("mp4"))).toBe(false);
});

test("a file of more chunks than a store lists at once is refused", () => {
  expect(() => chunksOf(stem, 1_001, 1)).toThrow();
});
