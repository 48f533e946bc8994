/** The bytes; null for anything but the one spelling that base64 has for them, and for none at all. */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64"); // skips whatever is not base64
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : null;
}

/** Returns the size in base64 of so many bytes. */
export function base64BytesOf(sizeBytes: number): number {
  return 4 * Math.ceil(sizeBytes / 3);
}

/** Encodes chunks of any lengths as if they were one. */
export async function* encodeBase64(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    if (whole > 0) yield bytes.toString("base64", 0, whole);
  }
  if (rest.length > 0) yield rest.toString("base64");
}
