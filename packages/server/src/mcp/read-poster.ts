import { isObjectKey, type Storage } from "../media/storage/storage.ts";

const posterBytesMax = 256 * 1024;

/** The bytes of a poster of this service by its link; null: there is none, or it is not small. */
export async function readPoster(storage: Storage, url: string): Promise<Uint8Array | null> {
  const key = new URL(url).pathname.split("/").at(-1) ?? "";
  if (!isObjectKey(key) || !key.endsWith(".webp")) return null;
  const source = await storage.openRead(key);
  if (source === null) return null;
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of source) {
    sizeBytes += part.length;
    if (sizeBytes > posterBytesMax) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
