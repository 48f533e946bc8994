import type { Caller } from "../../accounts/queries.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { invalid } from "../../errors.ts";
import { newId, shardOf, type UploadId } from "../../ids.ts";
import { chunksOf, newChunkStem } from "../../media/storage/chunks.ts";
import { announceObjects } from "../../media/storage/objects.ts";
import { findTwin } from "../queries.ts";
import { busyIfTimeout, requireRoom } from "../require-room.ts";
import { reviewersOf } from "../review/reviewer.ts";
import { chunkBytes, chunksKeptMs, uploadMs } from "./limits.ts";
import { insertUpload } from "./queries.ts";
import { type CreateUploadBody, formBytesMax, type UploadAnswer } from "./schema.ts";
import { viewTwin, viewUpload } from "./upload-view.ts";

/**
 * Creates an upload, unless the account has an asset of the same bytes. Its owner
 * sends the chunks to the links and completes it. Every chunk is recorded before its link is issued, so that
 * abandoned chunks are collected.
 */
export async function createUpload(
  ctx: Context,
  caller: Caller,
  body: CreateUploadBody,
): Promise<UploadAnswer> {
  if (body.type === "DOCUMENT" && body.size > formBytesMax)
    throw invalid("size", `must be at most ${formBytesMax} for a DOCUMENT`);
  const { type, size: sizeBytes, sha256, reuse } = body;
  if (type !== "DOCUMENT" && sha256 && reuse !== false) {
    const twin = await findTwin(ctx.db, caller.id, {
      type,
      sizeBytes,
      sha256: sha256.toLowerCase(),
      reviewers: reviewersOf(ctx.config.review, type),
    });
    if (twin !== undefined) return viewTwin(ctx, twin, sizeBytes);
  }
  const stem = newChunkStem();
  const keys = chunksOf(stem, body.size, chunkBytes).map(({ key }) => key);
  const upload = await inTransaction(ctx.db, async (tx) => {
    const wanted = { kind: "upload", sizeBytes: body.size } as const;
    await requireRoom(tx, ctx.config.library, caller.id, wanted);
    await announceObjects(tx, keys, chunksKeptMs);
    const row = {
      id: newId<UploadId>(shardOf(caller.id)),
      account_id: caller.id,
      type: body.type,
      name: body.name ?? null,
      size_bytes: body.size,
      sha256: body.sha256?.toLowerCase() ?? null,
      chunk_bytes: chunkBytes,
      chunk_stem: stem,
    };
    return insertUpload(tx, row, uploadMs);
  }).catch(busyIfTimeout);
  return viewUpload(ctx, upload, undefined);
}
