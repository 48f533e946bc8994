import type { Tx } from "../db/database.ts";
import { type AccountId, type DeliveryId, newId, shardOf } from "../ids.ts";
import { queueEvent } from "../webhooks/endpoints/queries.ts";

/** Notifies the account's webhook endpoints of the end of an asset's review, in the same commit. */
export async function queueReviewedEvent(
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
