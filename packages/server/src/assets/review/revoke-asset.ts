import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { Actor, AssetId } from "../../ids.ts";
import { lockStatus } from "../queries.ts";
import { endRevoked } from "../settle-queries.ts";
import { byHand, insertReview } from "./queries.ts";
import { reviewerOf } from "./reviewer-of.ts";

/** Revokes an asset that passed: its copy is deleted, and new tasks that reference it are refused. */
export async function revokeAsset(
  ctx: Pick<Context, "db">,
  actor: Actor,
  assetId: AssetId,
  reason: string,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const asset = await lockStatus(tx, assetId);
    if (asset === undefined || !(await endRevoked(tx, assetId, reason)))
      throw new ApiError("asset_not_found", {
        message: {
          en: "There is no ACTIVE or NONE asset with this id.",
          zh: "没有此 ID 且状态为 ACTIVE 或 NONE 的素材。",
        },
      });
    const actorName = byHand + reviewerOf(actor);
    await insertReview(tx, assetId, { actor: actorName, verdict: "revoked", reason });
    await recordAudit(tx, actor, {
      accountId: asset.accountId,
      action: "asset.revoke",
      object: String(assetId),
      before: { status: asset.status },
      after: { status: "FAILED" },
      reason,
    });
  });
}
