import assert from "node:assert";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newChunkStem } from "./chunks.ts";
import { openDiskStorage } from "./disk-storage.ts";
import { newObjectKey } from "./storage.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch("chunks");
});
afterAll(() => scratch.remove());

const open = () =>
  openDiskStorage({ root: scratch.path, publicUrl: "http://127.0.0.1:8080", secret: "a secret" });
const newKey = () => `${newChunkStem()}0000.part`;
const namesOf = async (key: string) =>
  (await readdir(join(scratch.path, key.slice(0, 2)))).filter((name) => name.startsWith(key));

async function receive(key: string, body: Readable, sizeBytes: number): Promise<void> {
  const { receiveChunk } = open();
  assert(receiveChunk !== null);
  await receiveChunk(key, body, sizeBytes);
}

const bytes = (...sizes: number[]) => Readable.from(sizes.map((size) => Buffer.alloc(size)));

async function* torn(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(500);
  throw new Error("cut");
}

test.each([
  ["has too few bytes", () => bytes(500, 499)],
  ["has too many bytes", () => bytes(500, 501)],
  ["is torn", () => Readable.from(torn())],
])("a chunk that %s leaves nothing, and what was there stays", async (_what, body) => {
  const key = newKey();
  await expect(receive(key, body(), 1_000)).rejects.toThrow();
  expect(await namesOf(key)).toEqual([]);
  await receive(key, bytes(1_000), 1_000);
  await expect(receive(key, body(), 1_000)).rejects.toThrow();
  expect(await open().listChunks(key.slice(0, 36))).toEqual(new Map([[key, 1_000]]));
});

test("a body that does not end is not read to its end", async () => {
  let piecesRead = 0;
  async function* long(): AsyncGenerator<Buffer> {
    for (; piecesRead < 10_000; piecesRead++) yield Buffer.alloc(500);
  }
  await expect(receive(newKey(), Readable.from(long()), 1_000)).rejects.toThrow("more bytes");
  expect(piecesRead).toBeLessThan(100);
});

test("only a chunk is received: no other object can be written from outside", async () => {
  const key = newObjectKey("mp4");
  await expect(receive(key, bytes(1_000), 1_000)).rejects.toThrow();
});

test("what a killed process left of a chunk is not one, and goes away with it", async () => {
  const key = newKey();
  await receive(key, bytes(1_000), 1_000);
  await writeFile(join(scratch.path, key.slice(0, 2), `${key}.0011.part`), "half");
  expect((await open().listChunks(key.slice(0, 36))).size).toBe(1);
  await open().remove(key);
  expect(await namesOf(key)).toEqual([]);
});
