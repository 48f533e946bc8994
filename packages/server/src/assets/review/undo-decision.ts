import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction, type Tx } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { Actor, AssetId } from "../../ids.ts";
import { findLatestUse } from "../../tasks/open-uses.ts";
import { type LockedAsset, lockStatus } from "../queries.ts";
import { reopenAsset } from "../settle-queries.ts";
import { countDecision, countPassed } from "./figures.ts";
import { undoMs } from "./judge-asset.ts";
import { byHand, findLastDecision, insertReview } from "./queries.ts";
import { joinQueue } from "./queue.ts";
import { reviewerOf } from "./reviewer-of.ts";

/**
 * Takes back a decision of the actor: the asset is in review again, claimed by the actor. A refusal has not
 * taken effect yet. An approval has: it cannot be taken back while a task uses the asset, so that no task
 * that was accepted fails by it.
 */
export async function undoDecision(
  ctx: Pick<Context, "db">,
  actor: Actor,
  assetId: AssetId,
): Promise<void> {
  const reviewer = reviewerOf(actor);
  await inTransaction(ctx.db, async (tx) => {
    const asset = await lockStatus(tx, assetId);
    if (asset === undefined) throw new ApiError("asset_not_found");
    const last = await findLastDecision(tx, assetId, undoMs);
    if (last?.actor !== byHand + reviewer || !last.isFresh) throw tooLate();
    if (last.verdict === "refused" && last.isPending && asset.status === "PROCESSING")
      await reopenAsset(tx, assetId);
    else if (last.verdict === "passed") await reopenApproved(tx, asset);
    else throw tooLate();
    await insertReview(tx, assetId, {
      actor: byHand + reviewer,
      verdict: "undone",
      reason: "",
      unable: true, // says nothing about the content
    });
    await joinQueue(tx, { assetId, accountId: asset.accountId }, reviewer);
    await countDecision(tx, reviewer, "undone", null);
    await recordAudit(tx, actor, {
      accountId: asset.accountId,
      action: "asset.undo",
      object: String(assetId),
      before: { verdict: last.verdict, code: last.code },
    });
  });
}

async function reopenApproved(tx: Tx, asset: LockedAsset): Promise<void> {
  if (asset.status === "FAILED") throw tooLate(); // by a later reviewer, or revoked
  const names = [asset.upstreamAssetId, ...(asset.storageKey === null ? [] : [asset.storageKey])];
  if ((await findLatestUse(tx, asset.accountId, names)) !== null)
    throw new ApiError("undo_too_late", {
      message: {
        en: "A task is using this asset already. Ask an operator to revoke the asset.",
        zh: "已有任务正在使用此素材。请联系运营人员撤销该素材。",
      },
    });
  if (asset.status === "ACTIVE") await countPassed(tx, asset.accountId, -1);
  await reopenAsset(tx, asset.id);
}

function tooLate(): ApiError {
  return new ApiError("undo_too_late");
}
