import { orAbort, toHex } from "./abort.ts";
import { FileError } from "./errors.ts";
import { openFile } from "./local-files.ts";
import { readChunks } from "./read-sse.ts";

/**
 * A file: its bytes, a stream of them, or its path as a `file:` URL (Node, Bun and Deno;
 * `pathToFileURL` makes one). A stream is read into memory first.
 */
export type FileLike =
  | Blob
  | ArrayBuffer
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | URL;

/** The most that the service takes. */
const sizeBytesMax = 200 * 1024 * 1024;

/** Every `URL` counts: one of the web is sent as text, see `webUrlOf`. */
export function isFileLike(value: unknown): value is FileLike {
  if (value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value))
    return true;
  if (value instanceof URL || value instanceof ReadableStream) return true;
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** The text of a URL that the service fetches itself; null for a file. */
export function webUrlOf(value: string | FileLike): string | null {
  if (typeof value === "string") return value;
  return value instanceof URL && value.protocol !== "file:" ? value.href : null;
}

export async function toBlob(file: FileLike, signal?: AbortSignal): Promise<Blob> {
  const blob = await orAbort(signal, openBlob(file, signal));
  if (blob.size === 0) throw new FileError("The file is empty.", { code: "file_empty" });
  if (blob.size > sizeBytesMax) throw tooLarge();
  return blob;
}

async function openBlob(file: FileLike, signal?: AbortSignal): Promise<Blob> {
  if (file instanceof Blob) return file;
  if (file instanceof URL) return openFile(file);
  if (file instanceof ArrayBuffer || ArrayBuffer.isView(file))
    return new Blob([file as Uint8Array<ArrayBuffer>]);
  const stream = file instanceof ReadableStream ? readChunks(file, { signal }) : file;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  for await (const part of stream) {
    signal?.throwIfAborted();
    sizeBytes += part.byteLength;
    if (sizeBytes > sizeBytesMax) throw tooLarge();
    parts.push(new Uint8Array(part)); // its own copy: a stream may use its buffer again
  }
  return new Blob(parts);
}

function tooLarge(): FileError {
  return new FileError("The file has more than 200 MB.", { code: "file_too_large" });
}

/**
 * SHA-256 in hexadecimal. The whole file is in memory for a moment: WebCrypto hashes no streams. Null in
 * a page without https, which has no WebCrypto.
 */
export async function hashOf(blob: Blob, signal?: AbortSignal): Promise<string | null> {
  const { subtle } = crypto as Partial<typeof crypto>;
  if (subtle === undefined) return null;
  const digest = blob.arrayBuffer().then((bytes) => subtle.digest("SHA-256", bytes));
  return toHex(new Uint8Array(await orAbort(signal, digest)));
}
