import { anySignal, backoffMs, orAbort, sleep } from "./abort.ts";
import { ConnectionError, FileError, NotFoundError, ZoetropeError } from "./errors.ts";
import type { DeclarationInput, Upload } from "./generated.ts";
import { known, type Names } from "./known-options.ts";
import { type FileLike, hashOf, toBlob } from "./read-file.ts";
import { type Signalled, sendForJson, type Transport } from "./transport.ts";
import type { Asset, AssetType } from "./types.ts";

export interface FormOptions extends Signalled {
  /** Called with the share that has arrived, 0 to 1. */
  onProgress?: ((share: number) => void) | undefined;
}

export interface UploadOptions extends FormOptions {
  type: AssetType;
  name?: string | undefined;
  /** Your declaration about the real people that the file shows. */
  declaration?: DeclarationInput | undefined;
  /** Resumes this upload: only what is missing is sent. */
  uploadId?: string | undefined;
  /** Called with the upload's id once it is open. A caller that keeps it can resume after a restart. */
  onOpen?: ((uploadId: string) => void) | undefined;
}

export const formNames: Names<FormOptions> = { ...known.signalled, onProgress: true };
export const uploadNames: Names<UploadOptions> = {
  ...formNames,
  type: true,
  name: true,
  declaration: true,
  uploadId: true,
  onOpen: true,
};

interface SendOptions extends Omit<UploadOptions, "type"> {
  type: AssetType | "DOCUMENT";
}

/** Uploads that were interrupted, by type and hash: the same file again resumes its own. */
export type Interrupted = Map<string, string>;

type Chunk = Upload["chunks"][number];

const path = "/api/v1/assets/uploads";
/**
 * The number of chunks at once at first; one at a time after a round in which none arrived: a slow
 * link is shared by all of them.
 */
const chunksAtOnceMax = 4;
const chunkMsMax = 60_000;
/** Rounds in which nothing arrived: about two minutes. */
const idleRoundsMax = 8;
const interruptedMax = 100;

/**
 * Sends a file in chunks and returns the asset, which is processed from then on. If the account
 * already has an asset with these bytes, returns that one and sends nothing. After a lost
 * connection only the missing parts are sent, for as long as anything arrives.
 */
export async function uploadFile(
  transport: Transport,
  interrupted: Interrupted,
  file: FileLike,
  options: UploadOptions,
): Promise<Asset> {
  const { upload, name } = await sendFile(transport, interrupted, file, options);
  const asset = upload.asset ?? (await completeUpload(transport, upload.uploadId, options));
  interrupted.delete(name);
  return asset;
}

/** Sends the signed form of a declaration and returns its `formUploadId`. */
export async function uploadForm(
  transport: Transport,
  interrupted: Interrupted,
  file: FileLike,
  options: FormOptions,
): Promise<string> {
  const sent = { ...options, type: "DOCUMENT" as const };
  return (await sendFile(transport, interrupted, file, sent)).upload.uploadId;
}

async function sendFile(
  transport: Transport,
  interrupted: Interrupted,
  file: FileLike,
  options: SendOptions,
): Promise<{ upload: Upload; name: string }> {
  const { signal, type } = options;
  const blob = await toBlob(file, signal);
  const sha256 = await hashOf(blob, signal);
  const name = `${type} ${sha256}`;
  const uploadId = options.uploadId ?? interrupted.get(name);
  let upload = await openUpload(transport, { size: blob.size, sha256 }, { ...options, uploadId });
  if (sha256 !== null) remember(interrupted, name, upload.uploadId);
  options.onOpen?.(upload.uploadId);
  for (let idleRounds = 0; upload.asset === null && upload.chunks.length > 0; ) {
    const atOnce = idleRounds === 0 ? chunksAtOnceMax : 1;
    const round = await sendChunks(transport, { blob, upload, atOnce }, options);
    signal?.throwIfAborted();
    if (round.fault instanceof FileError) throw round.fault;
    idleRounds = round.arrived > 0 ? 0 : idleRounds + 1;
    if (idleRounds > idleRoundsMax) throw interruption(upload.uploadId, round.fault);
    if (round.fault === null) break;
    await sleep(backoffMs(idleRounds, 1_000, 30_000), signal);
    upload = await readUpload(transport, upload.uploadId, signal).catch((error: unknown) => {
      if (error instanceof ConnectionError) return upload; // as long as the links work
      throw error;
    });
  }
  return { upload, name };
}

function interruption(uploadId: string, cause: unknown): ConnectionError {
  const message =
    "The upload was interrupted. Upload the same file again: what has arrived is kept.";
  return new ConnectionError(message, { code: "upload_interrupted", uploadId, cause });
}

async function openUpload(
  transport: Transport,
  { size, sha256 }: { size: number; sha256: string | null },
  { type, name, uploadId, declaration, signal }: SendOptions,
): Promise<Upload> {
  if (uploadId !== undefined)
    try {
      return await readUpload(transport, uploadId, signal);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error; // it has expired
    }
  const body = {
    type,
    size,
    reuse: declaration === undefined ? undefined : false,
    sha256: sha256 ?? undefined,
    name,
  };
  // Nothing comes of an upload that is opened twice: one of them expires.
  return sendForJson(transport, { method: "POST", path, body, isRead: true, signal });
}

function readUpload(transport: Transport, uploadId: string, signal: AbortSignal | undefined) {
  return sendForJson<Upload>(transport, { method: "GET", path, query: { uploadId }, signal });
}

async function completeUpload(
  transport: Transport,
  uploadId: string,
  { declaration, signal }: UploadOptions,
): Promise<Asset> {
  const idempotencyKey = uploadId; // the service returns the same asset again
  const body = { uploadId, declaration };
  const complete = { method: "POST" as const, path: `${path}/complete`, body };
  try {
    return await sendForJson<Asset>(transport, { ...complete, idempotencyKey, signal });
  } catch (error) {
    throw error instanceof ConnectionError ? interruption(uploadId, error) : error;
  }
}

/** Sends what is missing, several chunks at once, until one fails. */
async function sendChunks(
  transport: Transport,
  { blob, upload, atOnce }: { blob: Blob; upload: Upload; atOnce: number },
  { signal, onProgress }: FormOptions,
): Promise<{ arrived: number; fault: ZoetropeError | null }> {
  const waiting = [...upload.chunks];
  const total = Math.max(1, Math.ceil(blob.size / upload.chunkBytes));
  let arrived = 0;
  let fault: ZoetropeError | null = null;
  const sendNext = async (): Promise<void> => {
    for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift())
      try {
        const start = chunk.number * upload.chunkBytes;
        await sendChunk(transport, chunk, blob.slice(start, start + chunk.size), signal);
        arrived += 1;
        onProgress?.((total - upload.chunks.length + arrived) / total);
      } catch (cause) {
        waiting.length = 0;
        fault ??= cause instanceof ZoetropeError ? cause : interruption(upload.uploadId, cause);
      }
  };
  await Promise.all(Array.from({ length: atOnce }, sendNext));
  return { arrived, fault };
}

async function sendChunk(
  { fetch }: Transport,
  { url, method }: Chunk,
  body: Blob,
  signal: AbortSignal | undefined,
): Promise<void> {
  const either = anySignal(signal, AbortSignal.timeout(chunkMsMax));
  const response = await orAbort(either, fetch(url, { method, body, signal: either }));
  response.body?.cancel().catch(() => {});
  const { status } = response;
  if (response.ok) return;
  const message = `A chunk of the upload was refused with ${status}.`;
  // 403: the link has expired, and there is a fresh one.
  if (status >= 500 || status === 403 || status === 408 || status === 429)
    throw new ConnectionError(message);
  throw new FileError(message, { code: "chunk_refused" });
}

function remember(interrupted: Interrupted, name: string, uploadId: string): void {
  interrupted.set(name, uploadId);
  const [oldest] = interrupted.keys();
  if (interrupted.size > interruptedMax && oldest !== undefined) interrupted.delete(oldest);
}
