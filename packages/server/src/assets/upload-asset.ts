import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { inTransaction } from "../db/database.ts";
import { invalid } from "../errors.ts";
import { faultOfUrl } from "../media/fetch/public-address.ts";
import { newAssetId } from "./asset-id.ts";
import { viewAsset } from "./asset-view.ts";
import { checkDeclaration, declare } from "./declarations/declare.ts";
import { insertAsset } from "./queries.ts";
import { busyIfTimeout, requireRoom } from "./require-room.ts";
import type { AssetAnswer, UploadBody } from "./schema.ts";

/** Creates an asset from a URL. The file is fetched, probed and reviewed afterwards. */
export async function uploadAsset(
  ctx: Context,
  caller: Caller,
  body: UploadBody,
): Promise<AssetAnswer> {
  const policy = { allowLoopback: ctx.config.fetch.allowLoopback };
  const fault = faultOfUrl(body.url, ["https:", "http:"], policy);
  if (fault !== null) throw invalid("url", fault);
  const declaration = await checkDeclaration(ctx, caller, body.declaration);
  const asset = await inTransaction(ctx.db, async (tx) => {
    await requireRoom(tx, ctx.config.library, caller.id, { kind: "asset", sizeBytes: 0 });
    const made = await insertAsset(tx, {
      upstreamAssetId: newAssetId(new Date()),
      accountId: caller.id,
      type: body.type,
      source: { kind: "url", url: body.url },
      name: body.name ?? null,
    });
    await declare(tx, made, declaration);
    return made;
  }).catch(busyIfTimeout);
  ctx.waker.wake("asset", "advance", asset.id);
  return viewAsset(asset, ctx.config);
}
