import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { faultOfUrl } from "../media/public-address.ts";
import { newAssetId } from "./asset-id.ts";
import { viewAsset } from "./asset-view.ts";
import { findAsset, insertAsset } from "./queries.ts";
import type { AssetAnswer, UploadBody } from "./schema.ts";

/** Takes an address into the library. The file is fetched, measured and reviewed afterwards. */
export async function uploadAsset(
  ctx: Context,
  caller: Caller,
  body: UploadBody,
): Promise<AssetAnswer> {
  const policy = { allowLoopback: ctx.config.ALLOW_LOOPBACK };
  const fault = faultOfUrl(body.url, ["https:", "http:"], policy);
  if (fault !== null) throw invalid("url", fault);
  const assetId = await insertAsset(ctx.db, {
    upstreamAssetId: newAssetId(new Date()),
    accountId: caller.id,
    type: body.type,
    source: { url: new URL(body.url).href },
    name: body.name ?? null,
  });
  ctx.waker.wake("asset", "advance", String(assetId));
  const asset = await findAsset(ctx.db, assetId);
  if (asset === undefined) throw new Error(`asset ${assetId} is gone`);
  return viewAsset(asset, ctx.config);
}
