import type { Output } from "@zoetrope/sdk";

/** The bytes of a stored file. */
export async function readBytes(
  file: Output,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const blob = await file.blob(signal);
  return new Uint8Array(await blob.arrayBuffer());
}
