import type { Tx } from "../db/database.ts";
import { type AccountId, type DeliveryId, newId, shardOf } from "../ids.ts";
import { queueEvent } from "../webhooks/endpoints/queries.ts";

/** Tells the account's webhook endpoints how the review of an asset ended, with the same commit. */
export async function tellReviewed(
  tx: Tx,
  asset: { id: number; accountId: AccountId; upstreamAssetId: string },
  decision: { status: "ACTIVE" | "NONE" } | { status: "FAILED"; reason: string },
): Promise<void> {
  const { id: assetId, accountId, upstreamAssetId } = asset;
  const failReason = decision.status === "FAILED" ? decision.reason : null;
  await queueEvent(tx, {
    accountId,
    id: newId<DeliveryId>(shardOf(accountId)),
    type: "asset.reviewed",
    data: { assetId, upstreamAssetId, status: decision.status, failReason },
  });
}
