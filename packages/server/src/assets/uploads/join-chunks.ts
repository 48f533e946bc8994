import assert from "node:assert";
import { createHash, type Hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Context } from "../../context.ts";
import { freeBuffers } from "../../media/free-buffers.ts";
import type { Chunk } from "../../media/storage/chunks.ts";
import { findUpload } from "./queries.ts";
import { chunksOfUpload } from "./upload-view.ts";

const joinMsMax = 5 * 60_000;
const goneReason = "Some of the uploaded chunks are no longer stored. Upload the file again.";
const changedReason = "The SHA-256 of the file does not match the one given. Upload it again.";

/** `reason` is a sentence for the file's owner. */
type Joined =
  | { kind: "done"; sizeBytes: number; sha256: string }
  | { kind: "refused"; reason: string };

class NotWhole extends Error {}

/**
 * Puts the chunks of an upload together in a local file, hashing on the way. Memory is bounded by the
 * streams' buffers. Chunks can be sent again until their links expire, so nothing is taken on trust.
 */
export async function joinChunks(ctx: Context, uploadId: string, path: string): Promise<Joined> {
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
 * Lets go of an upload's chunks. Their rows in `media_objects` stay until their time: a link that still
 * lives may bring one back, and then the collector takes it away.
 */
export async function removeChunks(ctx: Context, uploadId: string): Promise<void> {
  const upload = await findUpload(ctx.db, uploadId);
  if (upload === undefined) return;
  await Promise.all(chunksOfUpload(upload).map(({ key }) => ctx.storage.remove(key)));
}
