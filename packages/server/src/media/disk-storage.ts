import assert from "node:assert";
import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { copyFile, link, mkdir, readFile, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { isObjectKey, type ObjectFacts, type Storage } from "./storage.ts";

/** A folder on one machine: for development and for small deployments on a single host. */
export function openDiskStorage(root: string): Storage {
  const pathOf = (key: string) => {
    assert(isObjectKey(key));
    return join(root, key.slice(0, 2), key);
  };
  return {
    async putFile(key, path, facts) {
      const target = pathOf(key);
      const arriving = `${target}.${process.pid}.part`;
      await mkdir(dirname(target), { recursive: true });
      try {
        await copyFile(path, arriving, constants.COPYFILE_EXCL);
        await checkBytes(arriving, facts);
        await link(arriving, target); // fails if the key exists: an object is written once, and whole
      } finally {
        await rm(arriving, { force: true });
      }
    },
    async locate(key) {
      const path = pathOf(key);
      const found = await stat(path).catch(() => null);
      if (found === null) return null;
      return { kind: "file", root: dirname(path), path: basename(path) };
    },
    read: (key) => readFile(pathOf(key)),
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async close() {},
  };
}

async function checkBytes(path: string, facts: ObjectFacts): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  assert.equal(hash.digest("hex"), facts.sha256, "the bytes do not match their checksum");
  assert.equal((await stat(path)).size, facts.sizeBytes, "the bytes do not match their size");
}
