import { ConnectionError, type Output, ZoetropeError } from "@zoetrope/sdk";

const triesMax = 4;
const delayMs = 500;

/** The bytes of a stored file. It is paid for: a download that breaks is tried again. */
export async function readBytes(
  file: Output,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  for (let attempt = 1; ; attempt++)
    try {
      const blob = await file.blob(signal);
      return new Uint8Array(await blob.arrayBuffer());
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof ZoetropeError) throw cause;
      if (attempt === triesMax)
        throw new ConnectionError(`${file.url} cannot be fetched.`, {
          idempotencyKey: null,
          cause,
        });
      await new Promise((resolve) => setTimeout(resolve, delayMs * 2 ** attempt));
      signal?.throwIfAborted();
    }
}
