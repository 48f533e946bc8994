import assert from "node:assert";
import { createHash } from "node:crypto";

export interface Fetched {
  sizeBytes: number;
  sha256: string;
}

/** Fetches a file, however large, and keeps only its size and checksum. */
export async function fetchAndHash(url: string): Promise<Fetched> {
  const answer = await fetch(url);
  assert(answer.status === 200 && answer.body !== null, `${url} answered ${answer.status}`);
  const hash = createHash("sha256");
  let sizeBytes = 0;
  for await (const chunk of answer.body) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, sha256: hash.digest("hex") };
}
