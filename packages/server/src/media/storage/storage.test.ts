import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { startS3 } from "@zoetrope/testkit/services/s3.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chunksOf, newChunkStem } from "./chunks.ts";
import { openDiskStorage } from "./disk-storage.ts";
import { openStorage } from "./open-storage.ts";
import { contentTypeOf, newObjectKey, type Storage } from "./storage.ts";

const links = { publicUrl: "http://127.0.0.1:8080", secret: "a secret" };

/** One suite for every driver. */
const drivers: [string, (scratch: Scratch, cleanUp: AsyncDisposableStack) => Promise<Storage>][] = [
  [
    "a folder",
    async (scratch) =>
      openStorage({ storage: { kind: "disk", dir: join(scratch.path, "objects") }, links }),
  ],
  [
    "S3 (Ceph)",
    async (scratch, cleanUp) => {
      const s3 = cleanUp.use(await startS3({ dir: join(scratch.path, "s3") }));
      const { endpoint, region, accessKeyId, secretAccessKey } = s3;
      await s3.createBucket("media");
      const bucket = { endpoint, region, accessKeyId, secretAccessKey, bucket: "media" };
      return openStorage({ storage: { kind: "s3", ...bucket }, links });
    },
  ],
];

describe.each(drivers)("storage in %s", (_name, open) => {
  const cleanUp = new AsyncDisposableStack();
  let scratch: Scratch;
  let storage: Storage;
  beforeAll(async () => {
    scratch = cleanUp.use(await makeScratch("storage"));
    storage = await open(scratch, cleanUp);
    cleanUp.defer(() => storage.close());
  });
  afterAll(() => cleanUp.disposeAsync());

  async function file(bytes: Buffer) {
    const path = join(scratch.path, randomBytes(8).toString("hex"));
    await writeFile(path, bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { path, facts: { contentType: "video/mp4", sizeBytes: bytes.length, sha256 } };
  }

  async function read(key: string): Promise<{ bytes: Buffer; contentType: string | null } | null> {
    const location = await storage.locate(key);
    if (location === null) return null;
    if (location.kind === "file") {
      const bytes = await readFile(join(location.root, location.path));
      return { bytes, contentType: contentTypeOf(key) };
    }
    const response = await fetch(location.url);
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    return { bytes, contentType: response.headers.get("content-type") };
  }

  test("gives back the bytes and the type that were stored", async () => {
    const bytes = randomBytes(300_000);
    const { path, facts } = await file(bytes);
    const key = newObjectKey("mp4");
    await storage.putFile(key, path, facts);
    expect(await read(key)).toEqual({ bytes, contentType: "video/mp4" });
  });

  test("lists what was stored since a time, and nothing else", async () => {
    const { path, facts } = await file(randomBytes(10));
    const key = newObjectKey("mp4");
    const before = new Date(Date.now() - 10_000); // S3 tells whole seconds
    await storage.putFile(key, path, facts);
    const list = async (since: Date) => {
      const keys: string[] = [];
      for await (const found of storage.listSince(since)) keys.push(found);
      return keys;
    };
    expect(await list(before)).toContain(key);
    expect(await list(new Date(Date.now() + 10_000))).toEqual([]);
  });

  test("refuses to write a key twice and keeps what was first", async () => {
    const first = randomBytes(1000);
    const key = newObjectKey("mp4");
    const one = await file(first);
    const two = await file(randomBytes(1000));
    await storage.putFile(key, one.path, one.facts);
    await expect(storage.putFile(key, two.path, two.facts)).rejects.toThrow();
    expect((await read(key))?.bytes.equals(first)).toBe(true);
  });

  test("refuses bytes that do not match their checksum and stores nothing", async () => {
    const { path, facts } = await file(randomBytes(1000));
    const key = newObjectKey("mp4");
    const wrong = { ...facts, sha256: "00".repeat(32) };
    await expect(storage.putFile(key, path, wrong)).rejects.toThrow();
    expect(await storage.locate(key)).toBeNull();
  });

  test("knows nothing of a key that was never stored, and of one that was removed", async () => {
    const key = newObjectKey("mp4");
    expect(await storage.locate(key)).toBeNull();
    const { path, facts } = await file(randomBytes(10));
    await storage.putFile(key, path, facts);
    await storage.remove(key);
    expect(await storage.locate(key)).toBeNull();
    await storage.remove(key); // again is fine
  });

  test("streams what was stored, and nothing of what was not", async () => {
    const bytes = randomBytes(300_000);
    const { path, facts } = await file(bytes);
    const key = newObjectKey("mp4");
    expect(await storage.openRead(key)).toBeNull();
    await storage.putFile(key, path, facts);
    const stream = await storage.openRead(key);
    expect(stream === null ? null : await buffer(stream)).toEqual(bytes);
  });

  test("keeps a note by its name, which is replaced and is no object", async () => {
    await storage.check(); // makes the folder
    expect(await storage.readNote("position")).toBeNull();
    for (const text of ["1", "two"]) {
      await storage.writeNote("position", text);
      expect(await storage.readNote("position")).toBe(text);
    }
    for await (const key of storage.listSince(new Date(0))) expect(key).not.toContain("position");
  });

  test("finds the chunks of one upload and of no other", async () => {
    const stems = [newChunkStem(), newChunkStem()] as const;
    expect(await storage.listChunks(stems[0])).toEqual(new Map());
    for (const stem of stems)
      for (const { key, sizeBytes } of chunksOf(stem, 25, 10)) {
        const { path, facts } = await file(randomBytes(sizeBytes));
        await storage.putFile(key, path, facts);
      }
    const [first, second, third] = chunksOf(stems[0], 25, 10).map(({ key }) => key);
    expect(await storage.listChunks(stems[0])).toEqual(
      new Map([
        [first, 10],
        [second, 10],
        [third, 5],
      ]),
    );
  });

  test.each(["../../etc/passwd", "a/b.mp4", "", "x.mp4"])("refuses %j as a key", async (key) => {
    await expect(storage.locate(key)).rejects.toThrow();
  });
});

test("a storage folder that is away is an error, and not a file that is gone", async () => {
  await using scratch = await makeScratch("away");
  const root = join(scratch.path, "objects");
  const storage = openDiskStorage({ root, publicUrl: "http://127.0.0.1:8080", secret: "a secret" });
  const key = newObjectKey("mp4");
  await expect(storage.openRead(key)).rejects.toMatchObject({ code: "ENOENT" });
  await storage.check();
  expect(await storage.openRead(key)).toBeNull();
});

test("a folder that may be opened and takes no file is no storage; one that takes it is left as it was", async () => {
  await using scratch = await makeScratch("taking");
  // /proc lets root in, who may write everywhere, and takes no file from anybody.
  await expect(openDiskStorage({ ...links, root: "/proc" }).check()).rejects.toThrow();
  const root = join(scratch.path, "empty");
  await openDiskStorage({ ...links, root }).check();
  expect(await readdir(root)).toEqual([]);
});
