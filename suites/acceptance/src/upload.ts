import type { Answer } from "@zoetrope/testkit/api-client.ts";
import { expect } from "vitest";
import { main } from "./client.ts";

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

/** Completes open uploads: an account may have only so many. */
export async function endUpload(bytes: Buffer, uploadId: string): Promise<void> {
  await sendMissing(bytes, uploadIn(await main.readUpload(uploadId)));
  expect((await main.completeUpload({ uploadId })).status).toBe(200);
}
