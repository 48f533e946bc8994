import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { freeBuffers } from "../free-buffers.ts";
import type { Storage } from "./storage.ts";

export class ObjectGone extends Error {
  constructor() {
    super("the object does not exist");
  }
}

/** Downloads an object to a local file; throws `ObjectGone` if it does not exist. */
export async function fetchObject(storage: Storage, key: string, path: string): Promise<void> {
  const stream = await storage.openRead(key);
  if (stream === null) throw new ObjectGone();
  await pipeline(stream, freeBuffers(), createWriteStream(path));
}

/** The facts of a local file that the storage needs. */
export async function measureFile(path: string): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), freeBuffers(), hash);
  return { sizeBytes: (await stat(path)).size, sha256: hash.digest("hex") };
}
