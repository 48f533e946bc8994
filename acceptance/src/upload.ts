import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { expect } from "vitest";
import { type Answer, main } from "./client.ts";

/** An upload as its owner sees it. */
export interface Upload {
  uploadId: string;
  size: number;
  chunkBytes: number;
  chunks: { number: number; size: number; method: string; url: string }[];
  received: number[];
  expiresAt: number;
  asset: Record<string, unknown> | null;
}

export function uploadIn(answer: Answer): Upload {
  expect(answer.status, answer.text).toBe(200);
  return answer.body as unknown as Upload;
}

export async function beginUpload(bytes: Buffer, more: object = {}): Promise<Upload> {
  return uploadIn(await main.createUpload({ type: "IMAGE", size: bytes.length, ...more }));
}

/** Sends those chunks that the upload says are missing, without a key. */
export async function sendMissing(bytes: Buffer, { chunks, chunkBytes }: Upload): Promise<void> {
  for (const { number, size, method, url } of chunks) {
    const from = number * chunkBytes;
    const answer = await fetch(url, { method, body: bytes.subarray(from, from + size) });
    expect(answer.status, await answer.text()).toBe(200);
  }
}

/** What was begun is brought to an end: an account may have only so many open. */
export async function endUpload(bytes: Buffer, uploadId: string): Promise<void> {
  await sendMissing(bytes, uploadIn(await main.readUpload(uploadId)));
  expect((await main.completeUpload({ uploadId })).status).toBe(200);
}

/** An image of noise as PNG: three bytes a pixel, and no smaller. */
export function noise(side: number): Buffer {
  const row = () => Buffer.concat([Buffer.alloc(1), randomBytes(3 * side)]);
  const pixels = Buffer.concat(Array.from({ length: side }, row));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.writeUInt8(8, 8); // bits of a sample
  head.writeUInt8(2, 9); // red, green and blue
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    piece("IHDR", head),
    piece("IDAT", deflateSync(pixels, { level: 0 })),
    piece("IEND", Buffer.alloc(0)),
  ]);
}

const pngHeadBytes = 33; // the signature and the first chunk
const frameBytes = 12; // of a chunk, around what is inside
/** Decoders refuse longer ones. */
const chunkBytesMax = 4 * 1024 * 1024;

/** A PNG that is made as large as wanted, by chunks that nobody reads. */
export function padded(png: Buffer, sizeBytes: number): Buffer {
  const parts = [png.subarray(0, pngHeadBytes)];
  for (let missing = sizeBytes - png.length; missing > 0; ) {
    const isLast = missing <= chunkBytesMax;
    const bytes = isLast ? missing : chunkBytesMax / 2; // what is left is never too little for one
    parts.push(piece("paDd", Buffer.alloc(bytes - frameBytes)));
    missing -= bytes;
  }
  return Buffer.concat([...parts, png.subarray(pngHeadBytes)]);
}

function piece(name: string, inside: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), inside]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(inside.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
