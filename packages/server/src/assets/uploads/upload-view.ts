import type { Caller } from "../../accounts/queries.ts";
import type { Context } from "../../context.ts";
import { type Chunk, chunksOf } from "../../media/storage/chunks.ts";
import { viewAsset } from "../asset-view.ts";
import { type AssetRow, findOwnAsset } from "../queries.ts";
import { chunkBytes, linkSecondsMax, uploadMs } from "./limits.ts";
import type { UploadRow } from "./queries.ts";
import type { UploadAnswer } from "./schema.ts";

/** An upload as its owner sees it: the received chunks, and links for the missing ones. */
export async function viewUpload(
  ctx: Context,
  upload: UploadRow,
  asset: AssetRow | undefined,
): Promise<UploadAnswer> {
  const chunks = chunksOfUpload(upload);
  const missing = asset === undefined ? await findMissing(ctx, upload) : [];
  const absent = new Set(missing.map(({ number }) => number));
  const secondsLeft = Math.ceil((upload.expires_at.getTime() - Date.now()) / 1000);
  const seconds = Math.max(1, Math.min(linkSecondsMax, secondsLeft));
  const linkTo = ({ key, sizeBytes }: Chunk) => ctx.storage.uploadLink(key, sizeBytes, seconds);
  return {
    uploadId: upload.id,
    size: upload.size_bytes,
    chunkBytes: upload.chunk_bytes,
    chunks: await Promise.all(
      missing.map(async (chunk) => {
        const { number, sizeBytes: size } = chunk;
        return { number, size, method: "PUT" as const, url: await linkTo(chunk) };
      }),
    ),
    received: chunks.map(({ number }) => number).filter((number) => !absent.has(number)),
    expiresAt: upload.expires_at.getTime(),
    asset: asset === undefined ? null : viewAsset(asset, ctx.config),
  };
}

/**
 * Returns the view that replaces an upload of bytes that the account has as an asset. Its id is that of the
 * asset: completing or reading it returns the same, for senders that do so regardless of the response.
 */
export function viewTwin(ctx: Context, asset: AssetRow, size: number): UploadAnswer {
  const uploadId = asset.upstream_asset_id as UploadAnswer["uploadId"];
  return {
    uploadId,
    size,
    chunkBytes,
    chunks: [],
    received: [],
    expiresAt: Date.now() + uploadMs,
    asset: viewAsset(asset, ctx.config),
  };
}

/** The asset that `viewTwin` named in place of an upload; only the account's own. */
export async function findNamedTwin(ctx: Context, caller: Caller, uploadId: string) {
  const asset = await findOwnAsset(ctx.db, caller.id, uploadId);
  return asset?.upstream_asset_id === uploadId ? asset : undefined;
}

export function chunksOfUpload(upload: UploadRow): Chunk[] {
  return chunksOf(upload.chunk_stem, upload.size_bytes, upload.chunk_bytes);
}

/** The chunks that are missing or incomplete. */
export async function findMissing(ctx: Context, upload: UploadRow): Promise<Chunk[]> {
  const stored = await ctx.storage.listChunks(upload.chunk_stem);
  return chunksOfUpload(upload).filter(({ key, sizeBytes }) => stored.get(key) !== sizeBytes);
}
