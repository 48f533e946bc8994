import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDiskStorage } from "../../media/storage/disk-storage.ts";
import { measureFile } from "../../media/storage/fetch-object.ts";
import { newObjectKey, type Storage } from "../../media/storage/storage.ts";
import { createSourceCache } from "./source-cache.ts";

let scratch: Scratch;
let storage: Storage;
let reads = 0;
beforeAll(async () => {
  scratch = await makeScratch("sources");
  const secret = "0123456789abcdef0123456789abcdef";
  const root = join(scratch.path, "media");
  const disk = openDiskStorage({ root, publicUrl: "http://127.0.0.1:9", secret });
  storage = {
    ...disk,
    openRead(key) {
      reads += 1;
      return disk.openRead(key);
    },
  };
});
afterAll(() => scratch.remove());

async function store(text: string): Promise<string> {
  const key = newObjectKey("mp4");
  const path = join(scratch.path, key);
  await writeFile(path, text);
  await storage.putFile(key, path, { contentType: "video/mp4", ...(await measureFile(path)) });
  return key;
}

const hour = 3_600_000;
let caches = 0;

function openCache(filesMax: number, keptMs: number, from = storage) {
  const dir = join(scratch.path, `cache-${++caches}`);
  const cache = createSourceCache(from, dir, { filesMax, keptMs });
  return { cache, files: () => readdir(dir) };
}

const read = (path: string) => readFile(path, "utf8");

test("however many use a source at once or again, it is fetched once", async () => {
  const key = await store("video");
  const { cache, files } = openCache(1, hour);
  reads = 0;
  const texts = await Promise.all([1, 2, 3].map(() => cache.use(key, read)));
  expect([...texts, await cache.use(key, read)]).toEqual(["video", "video", "video", "video"]);
  expect(reads).toBe(1);
  expect(await files()).toHaveLength(1);
});

test("of those that nobody uses only so many are kept, the last used; one in use is never removed", async () => {
  const [one, two, three] = [await store("1"), await store("2"), await store("3")];
  const { cache, files } = openCache(1, hour);
  await cache.use(one, async (path) => {
    for (const key of [two, three, two]) await cache.use(key, read);
    expect(await files()).toHaveLength(2);
    expect(await read(path)).toBe("1");
  });
  expect(await files()).toHaveLength(1);
  reads = 0;
  await cache.use(one, read);
  expect(reads).toBe(0);
});

test("one that nobody uses is gone after a while", async () => {
  const key = await store("video");
  const { cache, files } = openCache(5, 20);
  await cache.use(key, async (path) => {
    await expect.poll(files).toHaveLength(1);
    expect(await read(path)).toBe("video");
  });
  await expect.poll(files).toEqual([]);
  expect(await cache.use(key, read)).toBe("video");
});

test("a fetch that fails fails those who wait for it, and the next one fetches again", async () => {
  const key = await store("video");
  let isBroken = true;
  const { cache, files } = openCache(5, hour, {
    ...storage,
    async openRead(wanted) {
      if (!isBroken) return storage.openRead(wanted);
      return Readable.from(
        (async function* () {
          yield Buffer.from("fi");
          throw new Error("the line broke");
        })(),
      );
    },
  });
  const tries = await Promise.allSettled([cache.use(key, read), cache.use(key, read)]);
  expect(tries.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await files()).toEqual([]);
  isBroken = false;
  expect(await cache.use(key, read)).toBe("video");
});
