import type { Context } from "../../context.ts";
import { inTransaction, type Tx } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { Actor, AssetId } from "../../ids.ts";
import { ownAccounts } from "./own-accounts.ts";
import {
  claimNext,
  claimOne,
  claimsMax,
  countClaims,
  findClaim,
  lockClaims,
  release,
  renewAll,
} from "./queue.ts";
import { reviewerOf } from "./reviewer-of.ts";

type ReviewContext = Pick<Context, "db" | "directory">;

/** Claims the next assets of the queue that nobody has, as many as the reviewer may have. None of the own accounts. */
export async function claimNextReviews(
  ctx: ReviewContext,
  actor: Actor,
  count: number,
): Promise<AssetId[]> {
  const reviewer = reviewerOf(actor);
  return inTransaction(ctx.db, async (tx) => {
    const left = await claimsLeft(tx, reviewer);
    const rowsMax = Math.min(count, left);
    return claimNext(tx, { reviewer, rowsMax, except: await ownAccounts(ctx, actor) });
  });
}

/** Claims one asset of the queue, or renews the claim of it. */
export async function claimReview(
  ctx: ReviewContext,
  actor: Actor,
  assetId: AssetId,
): Promise<void> {
  await inTransaction(ctx.db, (tx) => claimIn(tx, reviewerOf(actor), assetId));
}

export async function claimIn(tx: Tx, reviewer: string, assetId: AssetId): Promise<void> {
  const claim = await findClaim(tx, assetId);
  if (claim === undefined)
    throw new ApiError("asset_not_found", {
      message: { en: "This asset does not wait for a review.", zh: "此素材不在等待审核。" },
    });
  if (!(claim.isLive && claim.by === reviewer)) await claimsLeft(tx, reviewer);
  if (!(await claimOne(tx, reviewer, assetId))) throw new ApiError("review_claimed");
}

async function claimsLeft(tx: Tx, reviewer: string): Promise<number> {
  await lockClaims(tx, reviewer);
  const left = claimsMax - (await countClaims(tx, reviewer));
  if (left <= 0) throw new ApiError("claims_limit");
  return left;
}

/** Renews what a reviewer has claimed, while its page is open. A claim that has ended stays ended. */
export async function renewClaims(ctx: ReviewContext, actor: Actor) {
  return renewAll(ctx.db, reviewerOf(actor));
}

/** Gives claims back, all of them unless some are named. */
export async function releaseClaims(
  ctx: ReviewContext,
  actor: Actor,
  assetIds?: AssetId[],
): Promise<AssetId[]> {
  return release(ctx.db, reviewerOf(actor), assetIds);
}
