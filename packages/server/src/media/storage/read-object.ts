import assert from "node:assert";
import type { Storage } from "./storage.ts";

/** The bytes of a small object. Throws if it does not exist or is larger than the limit. */
export async function readObject(
  storage: Storage,
  key: string,
  sizeBytesMax: number,
): Promise<Buffer> {
  const stream = await storage.openRead(key);
  if (stream === null) throw new Error("the object does not exist");
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    assert(Buffer.isBuffer(chunk));
    sizeBytes += chunk.length;
    if (sizeBytes > sizeBytesMax)
      throw new Error(`the object is larger than ${sizeBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
