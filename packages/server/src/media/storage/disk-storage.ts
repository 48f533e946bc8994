import assert from "node:assert";
import { createHash, randomBytes } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import {
  access,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { freeBuffers } from "../free-buffers.ts";
import { chunksOnDisk, type DiskSettings, nullIfMissing } from "./disk-chunks.ts";
import { isObjectKey, noteKey, type ObjectFacts, type Storage, StorageUnfit } from "./storage.ts";

const finalCodes = ["EACCES", "EPERM", "EROFS", "ENOTDIR"];

/** A folder on one machine: for development and for small deployments on a single host. */
export function openDiskStorage(settings: DiskSettings): Storage {
  let isProven = false;
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
    async readNote(name) {
      const text = await readFile(join(settings.root, noteKey(name)), "utf8").catch(nullIfMissing);
      if (text === null) await access(settings.root); // a missing folder is not a missing note
      return text;
    },
    async writeNote(name, text) {
      const target = join(settings.root, noteKey(name));
      const arriving = `${target}.${randomBytes(8).toString("hex")}`;
      await access(settings.root);
      await mkdir(dirname(target), { recursive: true });
      try {
        await writeFile(arriving, text);
        await rename(arriving, target);
      } finally {
        await rm(arriving, { force: true });
      }
    },
    async check() {
      try {
        await mkdir(settings.root, { recursive: true });
        if (isProven) await access(settings.root, constants.R_OK | constants.W_OK | constants.X_OK);
        else await tryToWrite(settings.root);
        isProven = true;
      } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        if (!finalCodes.includes(code)) throw error;
        throw new StorageUnfit(`this process may not write in STORAGE_DIR (${code})`);
      }
    },
    async close() {},
  };
}

/** Writes, reads, lists and deletes a file: what may be opened may still be full, or take no files. */
async function tryToWrite(root: string): Promise<void> {
  const name = `check-${randomBytes(8).toString("hex")}`;
  const path = join(root, name);
  try {
    await writeFile(path, name);
    assert.equal(await readFile(path, "utf8"), name, "STORAGE_DIR does not keep what is written");
    assert((await readdir(root)).includes(name), "STORAGE_DIR does not list what is in it");
  } finally {
    await rm(path, { force: true });
  }
}

async function checkBytes(path: string, facts: ObjectFacts): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), freeBuffers(), hash);
  assert.equal(hash.digest("hex"), facts.sha256, "the bytes do not match their checksum");
  assert.equal((await stat(path)).size, facts.sizeBytes, "the bytes do not match their size");
}
