/** How long so many bytes are in base64. */
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
