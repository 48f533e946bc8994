import type { Context } from "../../context.ts";
import type { AssetId } from "../../ids.ts";
import type { AssetsContext } from "../context.ts";
import { type AssetRow, findAsset } from "../queries.ts";
import { decideAsset } from "../settle-queries.ts";
import { postponeAsset } from "../step-queries.ts";
import { addReview, listReviews } from "./queries.ts";
import type { ReviewerName } from "./reviewer.ts";

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
  const { image, video, audio } = ctx.config.review;
  const line = { IMAGE: image, VIDEO: video, AUDIO: audio }[asset.type];
  const verdicts = new Map(
    (await listReviews(ctx.db, assetId)).map(({ actor, verdict, reason, unable }) => [
      actor.replace(/ .*$/s, ""), // without the name of the person
      { verdict, reason, unable },
    ]),
  );
  let isReviewed = false;
  let doubt: { reason: string; unable: boolean } | null = null;
  for (const [place, name] of line.entries()) {
    if (name === "manual" && place > 0 && doubt === null) continue;
    const known = verdicts.get(name) ?? (await ask(ctx, name, asset));
    if (known === null) return postponeAsset(ctx.db, assetId);
    if (known.verdict === "refused") return refuse(ctx, assetId, known.reason);
    if (known.verdict === "passed") {
      isReviewed = true;
      doubt = null;
    } else if (doubt === null || !known.unable) doubt = known; // a reviewer that cannot judge settles nothing
  }
  if (doubt !== null && !doubt.unable) return refuse(ctx, assetId, doubt.reason);
  const status = isReviewed && doubt === null ? "ACTIVE" : "NONE";
  await decideAsset(ctx.db, assetId, { status });
}

async function refuse(ctx: Context, assetId: AssetId, reason: string): Promise<void> {
  await decideAsset(ctx.db, assetId, { status: "FAILED", code: "refused", reason });
}

async function ask(ctx: AssetsContext, name: ReviewerName, asset: AssetRow) {
  const verdict = (await ctx.reviewers[name]?.review(asset)) ?? { kind: "waiting" };
  ctx.log.info({
    event: "asset.reviewed",
    assetId: asset.id,
    reviewer: name,
    verdict: verdict.kind,
  });
  if (verdict.kind === "waiting") return null;
  const { kind, reason } = verdict;
  const unable = kind === "unable";
  const review = { verdict: unable ? ("unsure" as const) : kind, reason, unable };
  await addReview(ctx.db, asset.id, { actor: name, ...review });
  return review;
}
