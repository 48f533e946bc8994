import { type Caller, lockAccountHere } from "../../accounts/queries.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError, invalid } from "../../errors.ts";
import type { Chunk } from "../../media/storage/chunks.ts";
import { keepObjects } from "../../media/storage/objects.ts";
import { newAssetId } from "../asset-id.ts";
import { viewAsset } from "../asset-view.ts";
import { type CheckedDeclaration, checkDeclaration, declare } from "../declarations/declare.ts";
import { readLibrary } from "../library-queries.ts";
import { type AssetRow, findAssetOfUpload, findTwin, insertAsset } from "../queries.ts";
import { busyIfTimeout, requireOpenAsset } from "../require-room.ts";
import { reviewersOf } from "../review/reviewer.ts";
import type { AssetAnswer } from "../schema.ts";
import { chunksKeptMs, uploadMs } from "./limits.ts";
import type { UploadRow } from "./queries.ts";
import { lockUpload } from "./queries.ts";
import { requireUpload } from "./read-upload.ts";
import type { CompleteUploadBody } from "./schema.ts";
import { chunksOfUpload, findMissing, findNamedTwin } from "./upload-view.ts";

const numbersShownMax = 10;

/**
 * Creates the asset of an upload whose chunks have all been received, unless the account has one of the
 * same bytes by now. Repeated, it returns the same asset.
 */
export async function completeUpload(
  ctx: Context,
  caller: Caller,
  body: CompleteUploadBody,
): Promise<AssetAnswer> {
  const { uploadId, declaration, reuse } = body;
  const twin = await findNamedTwin(ctx, caller, uploadId);
  if (twin !== undefined) {
    if (declaration)
      throw invalid("declaration", "needs an upload that was made with reuse: false");
    return viewAsset(twin, ctx.config);
  }
  const upload = await requireUpload(ctx, caller, uploadId);
  const checked = await checkDeclaration(ctx, caller, declaration);
  const asset =
    (await findAssetOfUpload(ctx.db, upload.id)) ??
    (await becomeAsset(ctx, upload, { declaration: checked, reuse: reuse !== false }));
  if (asset.status === "PROCESSING" && asset.turn_at !== null)
    ctx.waker.wake("asset", "advance", asset.id);
  return viewAsset(asset, ctx.config);
}

/** The row and the chunks are kept longer: joining them may have to wait for a worker. */
async function becomeAsset(
  ctx: Context,
  upload: UploadRow,
  { declaration, reuse }: { declaration: CheckedDeclaration | null; reuse: boolean },
): Promise<AssetRow> {
  const { type } = upload;
  if (type === "DOCUMENT")
    throw invalid("uploadId", "is a DOCUMENT: name it as formUploadId of a declaration");
  const missing = await findMissing(ctx, upload);
  if (missing.length > 0) throw invalid("uploadId", sentenceOf(missing));
  return inTransaction(ctx.db, async (tx) => {
    if ((await lockAccountHere(tx, upload.account_id)) === undefined)
      throw new ApiError("unauthorized"); // closed just now
    if (!(await lockUpload(tx, upload.id, uploadMs))) throw new ApiError("upload_not_found");
    const made = await findAssetOfUpload(tx, upload.id);
    if (made !== undefined) return made;
    const { sha256, size_bytes: sizeBytes } = upload;
    if (sha256 !== null && declaration === null && reuse) {
      const reviewers = reviewersOf(ctx.config.review, type);
      const twin = await findTwin(tx, upload.account_id, { type, sizeBytes, sha256, reviewers });
      if (twin !== undefined) return twin;
    }
    const { openAssetsMax } = await readLibrary(tx, upload.account_id, ctx.config.library);
    const queued = await requireOpenAsset(tx, upload.account_id, openAssetsMax);
    const asset = await insertAsset(tx, {
      upstreamAssetId: newAssetId(new Date()),
      accountId: upload.account_id,
      type,
      source: { kind: "upload", uploadId: upload.id },
      name: upload.name,
      ...queued,
    });
    const keys = chunksOfUpload(upload).map(({ key }) => key);
    await keepObjects(tx, keys, chunksKeptMs);
    await declare(tx, asset, declaration);
    return asset;
  }).catch(busyIfTimeout);
}

function sentenceOf(missing: Chunk[]): string {
  const numbers = missing.slice(0, numbersShownMax).map(({ number }) => number);
  const rest = missing.length - numbers.length;
  const more = rest === 0 ? "" : ` and ${rest} more`;
  const what = missing.length === 1 ? "chunk" : "chunks";
  return `${what} ${numbers.join(", ")}${more} not received yet; read the upload to get their links`;
}
