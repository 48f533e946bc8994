import type { AssetFacts } from "../../src/models/asset-rules.ts";
import type { FreshDatabase } from "./fresh-database.ts";

/** An asset that is ready for use: a video of five seconds by default. */
export async function insertAsset(
  database: FreshDatabase,
  asset: {
    accountId: string;
    upstreamAssetId: string;
    storageKey?: string;
    frames?: number | null;
  } & Partial<AssetFacts>,
): Promise<void> {
  const facts = { type: "VIDEO", status: "ACTIVE", contentType: "video/mp4", ...asset };
  const { sizeBytes = 1_000_000, width = 1280, height = 720, durationMs = 5_000 } = asset;
  await database.sql(
    `insert into assets (account_id, upstream_asset_id, type, status, content_type, size_bytes, width, height, duration_ms, video_codec, storage_key, frames)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      facts.accountId,
      facts.upstreamAssetId,
      facts.type,
      facts.status,
      facts.contentType,
      sizeBytes,
      width,
      height,
      durationMs,
      asset.videoCodec ?? null,
      asset.storageKey ?? null,
      asset.frames ?? null,
    ],
  );
}
