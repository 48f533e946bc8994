import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { cutPage } from "../http/paging.ts";
import { viewAsset } from "./asset-view.ts";
import { type AssetRow, findOwnAsset, listAssets, searchAssets } from "./queries.ts";
import type { AssetAnswer, ListQuery } from "./schema.ts";
import { claimCheck, takeDueAsset } from "./step-queries.ts";

/** The maximum time that a status query waits for its check. It holds no database connection meanwhile. */
const checkMsMax = 2_500;

/** Reads one asset. While it is in review, reading it triggers a check and returns the state after it. */
export async function readAsset(ctx: Context, caller: Caller, id: string): Promise<AssetAnswer> {
  const asset = await requireOwnAsset(ctx, caller, id);
  if (asset.status !== "PROCESSING") return viewAsset(asset, ctx.config);
  if (await claimCheck(ctx.db, asset.id)) {
    await ctx.waker.call({ owner: caller.id, msMax: checkMsMax }, "asset", "advance", asset.id);
    return viewAsset(await requireOwnAsset(ctx, caller, id), ctx.config);
  }
  if (await takeDueAsset(ctx.db, asset.id)) ctx.waker.wake("asset", "advance", asset.id);
  return viewAsset(asset, ctx.config);
}

async function requireOwnAsset(ctx: Context, caller: Caller, id: string) {
  const asset = await findOwnAsset(ctx.db, caller.id, id);
  if (asset === undefined) throw new ApiError("asset_not_found");
  return asset;
}

export async function readAssets(ctx: Context, caller: Caller, query: ListQuery) {
  const view = (asset: AssetRow) => viewAsset(asset, ctx.config);
  if (query.name !== undefined) {
    const found = await searchAssets(ctx.db, caller.id, query, query.name);
    return { items: found.rows.map(view), nextCursor: found.last };
  }
  const rows = await listAssets(ctx.db, caller.id, query);
  const { page, nextCursor } = cutPage(rows, query.limit, ({ id }) => id);
  return { items: page.map(view), nextCursor };
}
