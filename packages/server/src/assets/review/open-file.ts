import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { AccountId, Actor, AssetId } from "../../ids.ts";
import { findDeclaration } from "../declarations/queries.ts";
import { lockStatus } from "../queries.ts";
import { type DecidedAsset, readDecidedAssets } from "./decisions.ts";
import { undoMs } from "./judge-asset.ts";
import { byHand } from "./queries.ts";
import { claimMs, findClaim } from "./queue.ts";
import { reviewerOf } from "./reviewer-of.ts";

type FileContext = Pick<Context, "db">;

export const reviewPath = "/api/admin/v1/review";
/** The validity of a link where the storage serves the file itself: as long as a claim that is not renewed. */
export const fileLinkSeconds = claimMs / 1000;

/** A link that works only in a session; the account's id leads it to the asset's database. */
export function reviewFileUrl(
  publicUrl: string,
  kind: "media" | "form",
  { id, accountId }: { id: AssetId; accountId: AccountId },
): string {
  return `${publicUrl}${reviewPath}/${kind}?assetId=${id}&accountId=${accountId}`;
}

/** Whether a reviewer sees the file of an asset that was judged: an approved one, or the own fresh decision. */
export function isOpenTo(reviewer: string, { storageKey, status, last }: DecidedAsset): boolean {
  if (storageKey === null || last === null) return false;
  return status === "ACTIVE" || (status === "PROCESSING" && isOwnFresh(reviewer, last));
}

function isOwnFresh(reviewer: string, last: NonNullable<DecidedAsset["last"]>): boolean {
  return last.isFresh && last.actor === byHand + reviewer;
}

/**
 * Returns the storage key of an asset's file, for the reviewer who has claimed it or may see it among the
 * decisions.
 */
export async function openMedia(ctx: FileContext, actor: Actor, assetId: AssetId): Promise<string> {
  const reviewer = reviewerOf(actor);
  const [asset] = await readDecidedAssets(ctx.db, [assetId], undoMs);
  const isOpen =
    asset !== undefined &&
    (isOpenTo(reviewer, asset) || (await isClaimedBy(ctx, reviewer, assetId)));
  if (!isOpen) throw new ApiError("claim_lost");
  if (asset.storageKey === null) throw new ApiError("media_not_found");
  return asset.storageKey;
}

/**
 * Returns the storage key of an asset's signed form, for the reviewer who has claimed it; the owner can see
 * that it was read.
 */
export async function openForm(ctx: FileContext, actor: Actor, assetId: AssetId): Promise<string> {
  return inTransaction(ctx.db, async (tx) => {
    const asset = await lockStatus(tx, assetId);
    if (asset === undefined || !(await isClaimedBy({ db: tx }, reviewerOf(actor), assetId)))
      throw new ApiError("claim_lost");
    const declaration = await findDeclaration(tx, assetId);
    if (!declaration?.formKey) throw new ApiError("media_not_found");
    await recordAudit(tx, actor, {
      accountId: asset.accountId,
      action: "declaration.read",
      object: String(assetId),
    });
    return declaration.formKey;
  });
}

async function isClaimedBy({ db }: FileContext, reviewer: string, assetId: AssetId) {
  const claim = await findClaim(db, assetId);
  return claim?.isLive === true && claim.by === reviewer;
}
