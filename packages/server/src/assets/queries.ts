import type { Db } from "../db/database.ts";
import type { AssetFacts } from "../models/asset-rules.ts";

/** What is known of an account's own assets, by the id in `asset://`; of others nothing is found. */
export async function findAssets(
  db: Db,
  accountId: string,
  upstreamAssetIds: string[],
): Promise<Map<string, AssetFacts>> {
  if (upstreamAssetIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("assets")
    .select([
      "upstream_asset_id as upstreamAssetId",
      "type",
      "status",
      "content_type as contentType",
      "size_bytes as sizeBytes",
      "width",
      "height",
      "duration_ms as durationMs",
    ])
    .where("account_id", "=", accountId)
    .where("upstream_asset_id", "in", upstreamAssetIds)
    .execute();
  return new Map(rows.map(({ upstreamAssetId, ...facts }) => [upstreamAssetId, facts]));
}
