import assert from "node:assert";
import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { UploadAnswer } from "../../src/assets/uploads/schema.ts";
import { sendChunk } from "../harness/send-chunk.ts";
import type { TestBed } from "../harness/test-context.ts";

export const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Sends some chunks of a file, in this order. */
export async function sendChunks(
  upload: UploadAnswer,
  bytes: Buffer,
  numbers: readonly number[],
): Promise<void> {
  for (const number of numbers) {
    const chunk = bytes.subarray(number * upload.chunkBytes, (number + 1) * upload.chunkBytes);
    expect((await sendChunk(linkOf(upload, number), chunk)).status).toBe(200);
  }
}

export function linkOf({ chunks }: UploadAnswer, number: number): string {
  const url = chunks.find((one) => one.number === number)?.url;
  assert(url !== undefined);
  return url;
}

/** Returns the prefix of the keys of an upload's chunks. */
export function stemOf(upload: UploadAnswer): string {
  return /([0-9a-f]{36})0000\.part/.exec(linkOf(upload, 0))?.[1] ?? "";
}

export async function countChunks({ ctx }: TestBed, upload: UploadAnswer): Promise<number> {
  return (await ctx.storage.listChunks(stemOf(upload))).size;
}

export async function countRows({ database }: TestBed, from: string, value: string) {
  const text = `select count(*) from ${from} $1`;
  return Number((await database.sql<{ count: string }>(text, [value]))[0]?.count);
}
