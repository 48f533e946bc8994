import type { Context } from "../../context.ts";
import { type Chunk, chunksOf } from "../../media/storage/chunks.ts";
import { viewAsset } from "../asset-view.ts";
import type { AssetRow } from "../queries.ts";
import { linkSecondsMax } from "./limits.ts";
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

export function chunksOfUpload(upload: UploadRow): Chunk[] {
  return chunksOf(upload.chunk_stem, upload.size_bytes, upload.chunk_bytes);
}

/** The chunks that are missing or incomplete. */
export async function findMissing(ctx: Context, upload: UploadRow): Promise<Chunk[]> {
  const stored = await ctx.storage.listChunks(upload.chunk_stem);
  return chunksOfUpload(upload).filter(({ key, sizeBytes }) => stored.get(key) !== sizeBytes);
}
