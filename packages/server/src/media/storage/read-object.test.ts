import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDiskStorage } from "./disk-storage.ts";
import { readObject } from "./read-object.ts";
import { newObjectKey, type Storage } from "./storage.ts";

let scratch: Scratch;
let storage: Storage;
const bytes = randomBytes(300_000);
const key = newObjectKey("png");
beforeAll(async () => {
  scratch = await makeScratch("read-object");
  const root = join(scratch.path, "objects");
  storage = openDiskStorage({ root, publicUrl: "http://127.0.0.1:8080", secret: "a secret" });
  const path = join(scratch.path, "file");
  await writeFile(path, bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  await storage.putFile(key, path, { contentType: "image/png", sizeBytes: bytes.length, sha256 });
});
afterAll(() => scratch.remove());

test("an object of exactly the declared size is read whole", async () => {
  expect((await readObject(storage, key, bytes.length)).equals(bytes)).toBe(true);
});

test("an object that is a byte larger is not read", async () => {
  const reading = readObject(storage, key, bytes.length - 1);
  await expect(reading).rejects.toThrow("the object is larger than 299999 bytes");
});

test("an object that is not there is an error", async () => {
  const reading = readObject(storage, newObjectKey("png"), bytes.length);
  await expect(reading).rejects.toThrow("the object does not exist");
});
