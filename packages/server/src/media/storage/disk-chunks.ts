import assert from "node:assert";
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { freeBuffers } from "../free-buffers.ts";
import { type ChunkStorage, isChunkKey, isChunkStem } from "./chunks.ts";
import { uploadUrl } from "./upload-link.ts";

export interface DiskSettings {
  root: string;
  /** Upload links lead to the api and are signed with a secret. */
  publicUrl: string;
  secret: string;
}

/** Chunks in a folder: the api writes each to a temporary file and renames it when it is complete. */
export function chunksOnDisk({ root, publicUrl, secret }: DiskSettings): ChunkStorage {
  const dirOf = (stem: string) => join(root, stem.slice(0, 2));
  return {
    async uploadLink(chunkKey, sizeBytes, secondsMax) {
      assert(isChunkKey(chunkKey));
      const expiresAt = Date.now() + secondsMax * 1000;
      return uploadUrl(publicUrl, secret, { key: chunkKey, sizeBytes, expiresAt });
    },
    async listChunks(stem) {
      assert(isChunkStem(stem));
      const names = (await readdir(dirOf(stem)).catch(nullIfMissing)) ?? [];
      const chunks = new Map<string, number>();
      for (const name of names.filter((name) => name.startsWith(stem) && isChunkKey(name))) {
        const found = await stat(join(dirOf(stem), name)).catch(nullIfMissing);
        if (found !== null) chunks.set(name, found.size);
      }
      return chunks;
    },
    async receiveChunk(chunkKey, body, sizeBytes) {
      assert(isChunkKey(chunkKey));
      const target = join(dirOf(chunkKey), chunkKey);
      const arriving = `${target}.${randomBytes(8).toString("hex")}.part`; // it may be sent twice at the same time
      await mkdir(dirOf(chunkKey), { recursive: true });
      try {
        const file = createWriteStream(arriving, { flags: "wx" });
        await pipeline(exactly(body, sizeBytes), freeBuffers(), file);
        await rename(arriving, target); // an incomplete chunk never gets this far
      } finally {
        await rm(arriving, { force: true });
      }
    },
  };
}

async function* exactly(body: Readable, sizeBytes: number): AsyncGenerator<Buffer> {
  let seenBytes = 0;
  for await (const bytes of body) {
    assert(Buffer.isBuffer(bytes));
    seenBytes += bytes.length;
    assert(seenBytes <= sizeBytes, "more bytes arrived than announced");
    yield bytes;
  }
  assert.equal(seenBytes, sizeBytes, "fewer bytes arrived than announced");
}

export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
