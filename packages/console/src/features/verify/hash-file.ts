/** The hash of a browser takes the whole file at once. */
const hashBytesMax = 1024 * 1024 * 1024;

/**
 * Returns the SHA-256 of a file, which does not leave the browser. Null where it cannot be computed: on a
 * page without https, or of a file that is too large.
 */
export async function hashFile(
  file: File,
  { onProgress, signal }: { onProgress(share: number): void; signal: AbortSignal },
): Promise<string | null> {
  const digest = globalThis.isSecureContext ? crypto.subtle : null;
  if (digest === null || file.size > hashBytesMax) return null;
  const bytes = new Uint8Array(file.size);
  let at = 0;
  const reader = file.stream().getReader();
  for (;;) {
    const { value, done } = await reader.read();
    signal.throwIfAborted();
    if (done) break;
    bytes.set(value, at);
    at += value.length;
    onProgress(at / file.size);
  }
  const hash = new Uint8Array(await digest.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
