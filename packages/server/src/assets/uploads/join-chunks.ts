import assert from "node:assert";
import { createHash, type Hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Context } from "../../context.ts";
import type { UploadId } from "../../ids.ts";
import { freeBuffers } from "../../media/free-buffers.ts";
import type { Chunk } from "../../media/storage/chunks.ts";
import { findUpload } from "./queries.ts";
import { chunksOfUpload } from "./upload-view.ts";

const joinMsMax = 5 * 60_000;
const goneReason = "Some of the uploaded chunks are no longer stored. Upload the file again.";
const changedReason = "The SHA-256 of the file does not match the one given. Upload it again.";

/** `reason` is a sentence for the owner. */
type Joined =
  | { kind: "done"; sizeBytes: number; sha256: string }
  | { kind: "refused"; reason: string };

class NotWhole extends Error {}

/**
 * Joins the chunks of an upload in a local file and hashes them. Memory is bounded by the stream
 * buffers. Chunks can be sent again until their links expire, so their sizes and the checksum are
 * verified here.
 */
export async function joinChunks(ctx: Context, uploadId: UploadId, path: string): Promise<Joined> {
  const upload = await findUpload(ctx.db, uploadId);
  if (upload === undefined) return { kind: "refused", reason: goneReason };
  const hash = createHash("sha256");
  try {
    const bytes = bytesOf(ctx, chunksOfUpload(upload), hash);
    await pipeline(bytes, freeBuffers(), createWriteStream(path));
  } catch (error) {
    if (error instanceof NotWhole) return { kind: "refused", reason: goneReason };
    throw error;
  }
  const sha256 = hash.digest("hex");
  if (upload.sha256 !== null && upload.sha256 !== sha256)
    return { kind: "refused", reason: changedReason };
  return { kind: "done", sizeBytes: upload.size_bytes, sha256 };
}

async function* bytesOf(ctx: Context, chunks: Chunk[], hash: Hash): AsyncGenerator<Buffer> {
  const signal = AbortSignal.timeout(joinMsMax);
  for (const chunk of chunks) {
    const stream = await ctx.storage.openRead(chunk.key);
    if (stream === null) throw new NotWhole();
    let seenBytes = 0;
    for await (const bytes of addAbortSignal(signal, stream)) {
      assert(Buffer.isBuffer(bytes));
      seenBytes += bytes.length;
      hash.update(bytes);
      yield bytes;
    }
    if (seenBytes !== chunk.sizeBytes) throw new NotWhole();
  }
}

/**
 * Deletes the chunks of an upload. Their rows in `media_objects` stay until they expire: a link that
 * is still valid may store a chunk again, which is then collected.
 */
export async function removeChunks(ctx: Context, uploadId: UploadId): Promise<void> {
  const upload = await findUpload(ctx.db, uploadId);
  if (upload === undefined) return;
  await Promise.all(chunksOfUpload(upload).map(({ key }) => ctx.storage.remove(key)));
}
