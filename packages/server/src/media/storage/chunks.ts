import assert from "node:assert";
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";

/**
 * A file that is uploaded directly comes in chunks, each an object of its own. Their keys share a
 * stem that cannot be guessed and end in the chunk's number, so that one look finds all of an upload.
 */
export interface Chunk {
  /** From 0. */
  number: number;
  key: string;
  sizeBytes: number;
}

/** How both drivers take chunks in. A chunk may be sent again; it counts once it is there whole. */
export interface ChunkStorage {
  /** A link by which a stranger may store a chunk of exactly so many bytes, for so long. */
  uploadLink(chunkKey: string, sizeBytes: number, secondsMax: number): Promise<string>;
  /** The chunks of an upload that are there, by key, with their sizes in bytes. */
  listChunks(stem: string): Promise<Map<string, number>>;
  /** Takes what is sent to an upload link; null where links lead to the store itself. */
  receiveChunk: ((chunkKey: string, body: Readable, sizeBytes: number) => Promise<void>) | null;
}

const stemPattern = /^[a-f0-9]{36}$/;
const chunkKeyPattern = /^[a-f0-9]{36}\d{4}\.part$/;
/** As many as a store lists in one answer. */
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
