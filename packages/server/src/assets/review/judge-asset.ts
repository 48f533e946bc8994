import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError, invalid } from "../../errors.ts";
import type { Actor, AssetId } from "../../ids.ts";
import { lockStatus } from "../queries.ts";
import { continueAsset } from "../step-queries.ts";
import { claimIn } from "./claim-reviews.ts";
import { countDecision } from "./figures.ts";
import { ownAccounts } from "./own-accounts.ts";
import { byHand, insertReview, type Review } from "./queries.ts";
import { takeClaimed } from "./queue.ts";
import { type RefusalCode, reasonOf } from "./reasons.ts";
import { reviewerOf } from "./reviewer-of.ts";

/**
 * The time in which a decision can be undone. A refusal takes effect only then: its owner never sees one
 * that was undone.
 */
export const undoMs = 10 * 60_000;

export type Judgement =
  | { verdict: "passed"; text: string | null }
  | { verdict: "refused"; code: RefusalCode; text: string | null };

/** The waker may be one that does nothing: the sweep continues the review. */
export type JudgeContext = Pick<Context, "db"> & {
  directory: Context["directory"];
  waker: Pick<Context["waker"], "wake">;
};

/**
 * Records a person's verdict on an asset that it has claimed; the next step of the review acts on it.
 * `claims`: for a command, which claims and judges at once.
 */
export async function judgeAsset(
  ctx: JudgeContext,
  actor: Actor,
  assetId: AssetId,
  judgement: Judgement,
  options: { claims?: boolean } = {},
): Promise<{ undoableUntil: Date | null }> {
  const reviewer = reviewerOf(actor);
  const review = reviewOf(judgement, reviewer);
  const isApproved = judgement.verdict === "passed";
  await inTransaction(ctx.db, async (tx) => {
    const asset = await lockStatus(tx, assetId);
    if (options.claims) await claimIn(tx, reviewer, assetId);
    const claim = await takeClaimed(tx, reviewer, assetId);
    if (claim === undefined || asset?.status !== "PROCESSING") throw new ApiError("claim_lost");
    if ((await ownAccounts(ctx, actor)).includes(claim.accountId)) throw new ApiError("own_asset");
    await insertReview(tx, assetId, review);
    await countDecision(tx, reviewer, isApproved ? "approved" : "refused", claim.claimedAt);
    await continueAsset(tx, assetId, review.takesEffectInMs ?? 0);
    await recordAudit(tx, actor, {
      accountId: claim.accountId,
      action: isApproved ? "asset.approve" : "asset.refuse",
      object: String(assetId),
      after: { verdict: judgement.verdict, code: isApproved ? undefined : judgement.code },
      reason: judgement.text ?? undefined,
    });
  });
  if (review.takesEffectInMs === undefined) ctx.waker.wake("asset", "advance", assetId);
  const isFinal = !isApproved && review.takesEffectInMs === undefined;
  return { undoableUntil: isFinal ? null : new Date(Date.now() + undoMs) };
}

/**
 * Returns the review of a judgement. Staff see the title of the code and the text; the owner sees the
 * code's text.
 */
function reviewOf(judgement: Judgement, reviewer: string): Review {
  const actor = byHand + reviewer;
  const { text } = judgement;
  if (judgement.verdict === "passed") return { actor, verdict: "passed", reason: text ?? "" };
  const { code } = judgement;
  const { en, isAtOnce, needsText } = reasonOf(code);
  if (needsText && text === null) throw invalid("text", `is required with the code ${code}`);
  const reason = text === null ? `${en}.` : `${en}: ${text}`;
  const review = { actor, verdict: "refused" as const, code, reason };
  return isAtOnce ? review : { ...review, takesEffectInMs: undoMs };
}
