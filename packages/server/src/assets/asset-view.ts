import type { Config } from "../config.ts";
import { mediaUrl } from "../media/media-url.ts";
import type { AssetRow } from "./queries.ts";
import type { AssetAnswer } from "./schema.ts";

/** An asset as its owner sees it, everywhere the same. */
export function viewAsset(asset: AssetRow, config: Config): AssetAnswer {
  const storageUrl =
    asset.storage_key === null ? null : mediaUrl(config.PUBLIC_URL, asset.storage_key);
  return {
    assetId: asset.id,
    upstreamAssetId: asset.upstream_asset_id,
    type: asset.type,
    status: asset.status,
    failReason: asset.fail_reason,
    url: asset.upload_id === null ? asset.url : (storageUrl ?? ""),
    storageUrl,
    name: asset.name,
    createdAt: asset.created_at.getTime(),
    width: asset.width,
    height: asset.height,
    size: asset.size_bytes,
    duration: asset.duration_ms === null ? null : asset.duration_ms / 1000,
  };
}
