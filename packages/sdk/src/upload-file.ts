import { ConnectionError, ZoetropeError } from "./errors.ts";
import { backoffMs, sleep } from "./sleep.ts";
import { type CallOptions, sendForJson, type Transport } from "./transport.ts";
import type { Asset, AssetType } from "./types.ts";

/** Anything whose bytes can be read more than once. In Node, `fs.openAsBlob(path)` makes one of a file. */
export type FileLike = Blob | ArrayBuffer | Uint8Array;

export interface UploadOptions extends CallOptions {
  type: AssetType;
  name?: string | undefined;
  /** Called with the share that has arrived, 0 to 1. */
  onProgress?: ((share: number) => void) | undefined;
  /** Resumes this upload: only what is missing is sent. */
  uploadId?: string | undefined;
}

interface Upload {
  uploadId: string;
  chunkBytes: number;
  chunks: { number: number; size: number; method: string; url: string }[];
}

const chunksAtOnce = 4;
const chunkTriesMax = 5;
const chunkMsMax = 60_000;

/** Sends a file in chunks and answers the asset, which is processed from then on. */
export async function uploadFile(
  transport: Transport,
  file: FileLike,
  options: UploadOptions,
): Promise<Asset> {
  const { signal } = options;
  const blob = toBlob(file);
  const upload = await openUpload(transport, blob, options);
  const waiting = [...upload.chunks];
  const total = Math.max(1, Math.ceil(blob.size / upload.chunkBytes));
  let arrived = total - waiting.length;
  const sendNext = async (): Promise<void> => {
    for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) {
      const start = chunk.number * upload.chunkBytes;
      await sendChunk(transport, chunk, blob.slice(start, start + chunk.size), signal);
      arrived += 1;
      options.onProgress?.(arrived / total);
    }
  };
  await Promise.all(Array.from({ length: chunksAtOnce }, sendNext));
  return sendForJson<Asset>(transport, {
    method: "POST",
    path: "/api/v1/assets/uploads/complete",
    body: { uploadId: upload.uploadId },
    idempotencyKey: upload.uploadId, // the service answers the same asset again
    signal,
  });
}

async function openUpload(
  transport: Transport,
  blob: Blob,
  { type, name, uploadId, signal }: UploadOptions,
): Promise<Upload> {
  const path = "/api/v1/assets/uploads";
  if (uploadId !== undefined)
    return sendForJson(transport, { method: "GET", path, query: { uploadId }, signal });
  const sha256 = await hashOf(blob);
  const body = { type, size: blob.size, sha256, ...(name === undefined ? {} : { name }) };
  return sendForJson(transport, { method: "POST", path, body, signal });
}

async function sendChunk(
  { fetch }: Transport,
  { url, method }: Upload["chunks"][number],
  body: Blob,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const timeout = AbortSignal.timeout(chunkMsMax);
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    try {
      const response = await fetch(url, { method, body, signal: either });
      await response.body?.cancel();
      if (response.ok) return;
      if (response.status < 500 || attempt === chunkTriesMax)
        throw new ZoetropeError(`A chunk of the upload was refused with ${response.status}.`);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof ZoetropeError) throw cause;
      if (attempt === chunkTriesMax)
        throw new ConnectionError("The upload was interrupted.", { idempotencyKey: null, cause });
    }
    await sleep(backoffMs(attempt), signal);
  }
}

/** In hexadecimal. The whole file is in memory for a moment: WebCrypto hashes no streams. */
export async function hashOf(file: FileLike): Promise<string> {
  const bytes = await toBlob(file).arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function isFileLike(value: unknown): value is FileLike {
  return value instanceof Blob || value instanceof ArrayBuffer || value instanceof Uint8Array;
}

function toBlob(file: FileLike): Blob {
  return file instanceof Blob ? file : new Blob([file as Uint8Array<ArrayBuffer>]);
}
