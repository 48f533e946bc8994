import assert from "node:assert";
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";

/**
 * A direct upload consists of chunks, each its own object. Their keys share a random prefix and end in
 * the chunk's number, so that one listing finds all chunks of an upload.
 */
export interface Chunk {
  /** From 0. */
  number: number;
  key: string;
  sizeBytes: number;
}

/** The storage of chunks, for both drivers. A chunk may be sent again; it counts once it is complete. */
export interface ChunkStorage {
  /** A link that allows storing a chunk of exactly this size, for a limited time. */
  uploadLink(chunkKey: string, sizeBytes: number, secondsMax: number): Promise<string>;
  /** The stored chunks of an upload, by key, with their sizes in bytes. */
  listChunks(stem: string): Promise<Map<string, number>>;
  /** Receives a chunk sent to an upload link; null where links lead to the storage itself. */
  receiveChunk: ((chunkKey: string, body: Readable, sizeBytes: number) => Promise<void>) | null;
}

const stemPattern = /^[a-f0-9]{36}$/;
const chunkKeyPattern = /^[a-f0-9]{36}\d{4}\.part$/;
/** The number of chunks that a storage lists in one response. */
const numbersMax = 1_000;

export function newChunkStem(): string {
  return randomBytes(18).toString("hex");
}

export function isChunkStem(text: string): boolean {
  return stemPattern.test(text);
}

export function isChunkKey(text: string): boolean {
  return chunkKeyPattern.test(text);
}

/** The chunks of a file, in order. All are of one size but the last, which may be shorter. */
export function chunksOf(stem: string, sizeBytes: number, chunkBytes: number): Chunk[] {
  const count = Math.ceil(sizeBytes / chunkBytes);
  assert(isChunkStem(stem) && count <= numbersMax);
  return Array.from({ length: count }, (_, number) => ({
    number,
    key: `${stem}${String(number).padStart(4, "0")}.part`,
    sizeBytes: Math.min(chunkBytes, sizeBytes - number * chunkBytes),
  }));
}
