import { open } from "node:fs/promises";

export const chunksMax = 1_000;
const signatureBytes = 8;
const chunkHeadBytes = 8;
const checksumBytes = 4;

/** Whether a PNG is animated, which libvips does not report; null if too much precedes its pixels to tell. */
export async function isAnimatedPng(path: string): Promise<boolean | null> {
  await using file = await open(path);
  let at = signatureBytes;
  for (let chunks = 0; chunks < chunksMax; chunks++) {
    const head = Buffer.alloc(chunkHeadBytes);
    const { bytesRead } = await file.read(head, 0, chunkHeadBytes, at);
    const name = head.toString("latin1", 4);
    if (bytesRead < chunkHeadBytes || name === "IDAT" || name === "IEND") return false;
    if (name === "acTL") return true;
    at += chunkHeadBytes + head.readUInt32BE(0) + checksumBytes;
  }
  return null;
}
