import { signedUrl } from "../media/storage/signed-link.ts";
import { usersOf } from "../models/asset-rules.ts";
import { models } from "../models/catalogue.ts";
import type { Config } from "../settings/config.ts";
import { pathOfAsset, storageUrlOf } from "./address.ts";
import type { AssetRow } from "./queries.ts";
import type { AssetAnswer } from "./schema.ts";

const previewMs = 60 * 60 * 1000;

/** An asset as its owner sees it, everywhere the same. */
export function viewAsset(asset: AssetRow, { links }: Config): AssetAnswer {
  const storageUrl = storageUrlOf(links.publicUrl, asset.address);
  const isServed = asset.storage_key !== null && asset.status !== "FAILED";
  return {
    assetId: asset.id,
    upstreamAssetId: asset.upstream_asset_id,
    type: asset.type,
    status: asset.status,
    failReason: asset.fail_reason,
    url: asset.upload_id === null ? asset.url : storageUrl,
    storageUrl,
    previewUrl: isServed ? signedUrl(links, pathOfAsset(asset.address), previewMs) : null,
    name: asset.name,
    createdAt: asset.created_at.getTime(),
    width: asset.width,
    height: asset.height,
    size: asset.size_bytes,
    duration: asset.duration_ms === null ? null : asset.duration_ms / 1000,
    ...usersOf(models, {
      type: asset.type,
      status: asset.status,
      contentType: asset.content_type,
      sizeBytes: asset.size_bytes,
      width: asset.width,
      height: asset.height,
      durationMs: asset.duration_ms,
      videoCodec: asset.video_codec,
    }),
  };
}
