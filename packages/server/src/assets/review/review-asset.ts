import type { Context } from "../../context.ts";
import type { AssetVerdict } from "../../db/tables/assets.ts";
import type { AssetId } from "../../ids.ts";
import type { AssetsContext } from "../context.ts";
import { type AssetRow, findAsset } from "../queries.ts";
import { decideAsset } from "../settle-queries.ts";
import { postponeAsset } from "../step-queries.ts";
import { addReview, listReviews } from "./queries.ts";
import { reasonOf, refusalCodes } from "./reasons.ts";
import { type ReviewerName, reviewersOf, type Verdict } from "./reviewer.ts";

/**
 * Asks the reviewers of the asset's type in order and records every verdict. One refusal ends the
 * review. `manual` is asked only if an earlier reviewer was unsure or there is none before it. A later
 * reviewer settles a doubt; a doubt about the content that remains is a refusal. A file that no
 * reviewer can judge is stored without a review: only content is refused here, the requirements of a
 * model are checked where the model uses the file.
 */
export async function reviewAsset(ctx: AssetsContext, assetId: AssetId): Promise<void> {
  const asset = await findAsset(ctx.db, assetId);
  if (asset === undefined || asset.status !== "PROCESSING" || asset.storage_key === null) return;
  const line = reviewersOf(ctx.config.review, asset.type);
  const reviews = await listReviews(ctx.db, assetId);
  const verdicts = latestOf(reviews);
  const seen = reviews.at(-1)?.number ?? 0;
  let isReviewed = false;
  let doubt: { code: string | null; unable: boolean } | null = null;
  for (const [index, name] of line.entries()) {
    if (name === "manual" && index > 0 && doubt === null) continue;
    const known = verdicts.get(name) ?? (await ask(ctx, name, asset));
    if (known.verdict === "waiting") return postponeAsset(ctx.db, assetId, known.forMs);
    if (known.verdict === "refused" && known.pendingMs > 0)
      return postponeAsset(ctx.db, assetId, known.pendingMs);
    if (known.verdict === "refused") return refuse(ctx, assetId, known.code, seen);
    if (known.verdict === "passed") {
      isReviewed = true;
      doubt = null;
    } else if (doubt === null || !known.unable) doubt = known; // a reviewer that cannot judge settles nothing
  }
  if (doubt !== null && !doubt.unable) return refuse(ctx, assetId, doubt.code, seen);
  const status = isReviewed && doubt === null ? "ACTIVE" : "NONE";
  await decideAsset(ctx.db, assetId, { status }, seen);
}

/** The last verdict of each reviewer, by name; one that was undone is none. */
function latestOf(reviews: Awaited<ReturnType<typeof listReviews>>) {
  const verdicts = new Map<string, Known>();
  for (const { actor, verdict, reason, code, unable, pendingMs } of reviews) {
    const name = actor.replace(/ .*$/s, ""); // without the name of the person
    if (verdict === "undone") verdicts.delete(name);
    else verdicts.set(name, { verdict, reason, code, unable, pendingMs });
  }
  return verdicts;
}

interface Known {
  verdict: AssetVerdict;
  reason: string;
  code: string | null;
  unable: boolean;
  pendingMs: number;
}

/** Refuses an asset. Owners get the reason of the code; the reviewer's own words are for operators. */
async function refuse(ctx: Context, assetId: AssetId, code: string | null, seen: number) {
  const known = refusalCodes.find((one) => one === code) ?? "other";
  const reason = `The review did not pass. ${reasonOf(known).en}.`;
  await decideAsset(ctx.db, assetId, { status: "FAILED", code: "refused", reason }, seen);
}

async function ask(ctx: AssetsContext, name: ReviewerName, asset: AssetRow) {
  const answer: Verdict = (await ctx.reviewers[name]?.review(asset)) ?? { kind: "waiting" };
  ctx.log.info({
    event: "asset.reviewed",
    assetId: asset.id,
    reviewer: name,
    verdict: answer.kind,
  });
  if (answer.kind === "waiting") return { verdict: answer.kind, forMs: answer.forMs };
  const { kind, reason, code = null, scores } = answer;
  const unable = kind === "unable";
  const verdict = unable ? ("unsure" as const) : kind;
  const review = { actor: name, verdict, reason, unable, code: code ?? undefined, scores };
  await addReview(ctx.db, asset.id, review);
  return { verdict, reason, code, unable, pendingMs: 0 };
}
