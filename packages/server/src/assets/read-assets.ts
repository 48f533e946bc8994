import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { viewAsset } from "./asset-view.ts";
import { findOwnAsset, listAssets, takeDueAsset } from "./queries.ts";
import type { AssetAnswer, ListQuery } from "./schema.ts";

/** One asset. While it is in review, reading it sends its next step on its way if that is due. */
export async function readAsset(ctx: Context, caller: Caller, id: string): Promise<AssetAnswer> {
  const asset = await findOwnAsset(ctx.db, caller.id, id);
  if (asset === undefined) throw new ApiError("asset_not_found");
  if (asset.status === "PROCESSING" && (await takeDueAsset(ctx.db, asset.id)))
    ctx.waker.wake("asset", "advance", String(asset.id));
  return viewAsset(asset, ctx.config);
}

export async function readAssets(ctx: Context, caller: Caller, query: ListQuery) {
  const rows = await listAssets(ctx.db, caller.id, query);
  const page = rows.slice(0, query.limit);
  const nextCursor = rows.length > query.limit ? (page.at(-1)?.id ?? null) : null;
  return { items: page.map((asset) => viewAsset(asset, ctx.config)), nextCursor };
}
