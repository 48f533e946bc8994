import assert from "node:assert";
import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { access, copyFile, link, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { freeBuffers } from "../free-buffers.ts";
import { chunksOnDisk, type DiskSettings, nullIfMissing } from "./disk-chunks.ts";
import { isObjectKey, type ObjectFacts, type Storage } from "./storage.ts";

/** A folder on one machine: for development and for small deployments on a single host. */
export function openDiskStorage(settings: DiskSettings): Storage {
  const pathOf = (key: string) => {
    assert(isObjectKey(key));
    return join(settings.root, key.slice(0, 2), key);
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
    async openRead(key) {
      const file = await open(pathOf(key)).catch(nullIfMissing);
      if (file === null) await access(settings.root); // a missing folder is not a missing file
      return file === null ? null : file.createReadStream();
    },
    ...chunksOnDisk(settings),
    async remove(key) {
      const dir = dirname(pathOf(key));
      const names = (await readdir(dir).catch(nullIfMissing)) ?? [];
      // Also the temporary files that a killed process left, which have a longer name.
      for (const name of names.filter((name) => name.startsWith(key)))
        await rm(join(dir, name), { force: true });
    },
    async *listSince(since) {
      for (const dir of await readdir(settings.root)) {
        const names = (await readdir(join(settings.root, dir)).catch(() => [])) as string[];
        for (const name of names.filter(isObjectKey)) {
          const found = await stat(pathOf(name)).catch(nullIfMissing);
          if (found !== null && found.mtime >= since) yield name;
        }
      }
    },
    async check() {
      await mkdir(settings.root, { recursive: true });
      await access(settings.root, constants.W_OK);
    },
    async close() {},
  };
}

async function checkBytes(path: string, facts: ObjectFacts): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), freeBuffers(), hash);
  assert.equal(hash.digest("hex"), facts.sha256, "the bytes do not match their checksum");
  assert.equal((await stat(path)).size, facts.sizeBytes, "the bytes do not match their size");
}
