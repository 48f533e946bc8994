import { type Caller, lockAccount } from "../../accounts/queries.ts";
import type { Context } from "../../context.ts";
import { inTransaction, isTimeout } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { newId, shardOf } from "../../ids.ts";
import { chunksOf, newChunkStem } from "../../media/chunks.ts";
import { announceObjects } from "../../media/objects.ts";
import { chunkBytes, chunksKeptMs, uploadMs } from "./limits.ts";
import { countOpenUploads, insertUpload } from "./queries.ts";
import type { CreateUploadBody, UploadAnswer } from "./schema.ts";
import { viewUpload } from "./upload-view.ts";

const openUploadsMax = 20;
const retryAfterSeconds = 60;

/**
 * Begins an upload: its owner sends the chunks to the links and completes it. Every chunk is written
 * down before its link is given away, so that what is abandoned is collected.
 */
export async function createUpload(
  ctx: Context,
  caller: Caller,
  body: CreateUploadBody,
): Promise<UploadAnswer> {
  const stem = newChunkStem();
  const keys = chunksOf(stem, body.size, chunkBytes).map(({ key }) => key);
  const upload = await inTransaction(ctx.db, async (tx) => {
    await lockAccount(tx, caller.id);
    const open = await countOpenUploads(tx, caller.id);
    if (open >= openUploadsMax) throw tooMany(open);
    await announceObjects(tx, keys, chunksKeptMs);
    const row = {
      id: newId(shardOf(caller.id)),
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

function tooMany(open: number): ApiError {
  const message = `${open} uploads are open, the limit is ${openUploadsMax}. Complete one, or wait until one expires.`;
  return new ApiError("concurrency_limit", { message, retryAfterSeconds });
}

function busyIfTimeout(error: unknown): never {
  throw isTimeout(error) ? new ApiError("account_busy", { retryAfterSeconds: 1 }) : error;
}
