import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { inTransaction } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { findLatestUse } from "../tasks/open-uses.ts";
import { admitWaitingAssets } from "./admit-waiting-assets.ts";
import { findOwnAsset } from "./queries.ts";
import { deleteRow } from "./settle-queries.ts";
import { endUpload } from "./uploads/queries.ts";

/**
 * Deletes an asset for its owner: the copy expires, its bytes are released, and its ids are unknown
 * from then on. Refused while an open task uses it.
 */
export async function deleteAsset(ctx: Context, caller: Caller, id: string) {
  const deleted = await inTransaction(ctx.db, async (tx) => {
    const asset = await findOwnAsset(tx, caller.id, id, "locked");
    if (asset === undefined) throw new ApiError("asset_not_found");
    const names = [asset.upstream_asset_id, ...(asset.storage_key ? [asset.storage_key] : [])];
    if ((await findLatestUse(tx, caller.id, names)) !== null)
      throw new ApiError("asset_in_use", { retryAfterSeconds: 10 });
    await deleteRow(tx, asset.id);
    if (asset.upload_id !== null) await endUpload(tx, asset.upload_id);
    const { id: assetId, upstream_asset_id: upstreamAssetId } = asset;
    return { assetId, upstreamAssetId, deleted: true as const };
  });
  await admitWaitingAssets(ctx, caller.id);
  return deleted;
}
