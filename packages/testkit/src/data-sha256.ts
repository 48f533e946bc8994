import { createHash } from "node:crypto";

/**
 * The checksum of an MP4 from its frames to its end, which a label in its index leaves alone; null for other
 * files. The sandbox ends each video with bytes of its own.
 */
export function dataSha256Of(file: Uint8Array): string | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.toString("latin1", 4, 8) !== "ftyp") return null;
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8) return null;
    if (bytes.toString("latin1", at + 4, at + 8) === "mdat")
      return createHash("sha256").update(bytes.subarray(at)).digest("hex");
    at += size;
  }
  return null;
}
