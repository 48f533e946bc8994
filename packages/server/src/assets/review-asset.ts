import type { Context } from "../context.ts";
import {
  type AssetRow,
  addReview,
  decideAsset,
  findAsset,
  listReviews,
  postponeAsset,
} from "./queries.ts";
import type { ReviewerName } from "./reviewer.ts";

/**
 * Asks the reviewers of an asset's type in their order and writes down every verdict. One refusal
 * ends it. A person (`manual`) is asked only when a reviewer before was unsure, or when nobody stands
 * before. A doubt is settled by whoever comes after; a doubt that nobody settles is a refusal.
 */
export async function reviewAsset(ctx: Context, assetId: number): Promise<void> {
  const asset = await findAsset(ctx.db, assetId);
  if (asset === undefined || asset.status !== "PROCESSING" || asset.storage_key === null) return;
  const line = ctx.config[`REVIEW_${asset.type}`];
  if (line.length === 0) return void (await decideAsset(ctx.db, assetId, "NONE", null));
  const verdicts = new Map(
    (await listReviews(ctx.db, assetId)).map(({ actor, verdict, reason }) => [
      actor.split(" ")[0] ?? "",
      { verdict, reason },
    ]),
  );
  let doubt: string | null = null;
  for (const [place, name] of line.entries()) {
    if (name === "manual" && place > 0 && doubt === null) continue;
    const known = verdicts.get(name) ?? (await ask(ctx, name, asset));
    if (known === null) return postponeAsset(ctx.db, assetId);
    if (known.verdict === "refused")
      return void (await decideAsset(ctx.db, assetId, "FAILED", known.reason));
    doubt = known.verdict === "unsure" ? known.reason : null;
  }
  if (doubt === null) await decideAsset(ctx.db, assetId, "ACTIVE", null);
  else await decideAsset(ctx.db, assetId, "FAILED", doubt);
}

async function ask(ctx: Context, name: ReviewerName, asset: AssetRow) {
  const verdict = (await ctx.reviewers[name]?.review(asset)) ?? { kind: "waiting" };
  ctx.log.info({
    event: "asset.reviewed",
    assetId: asset.id,
    reviewer: name,
    verdict: verdict.kind,
  });
  if (verdict.kind === "waiting") return null;
  const { kind, reason } = verdict;
  await addReview(ctx.db, asset.id, { actor: name, verdict: kind, reason });
  return { verdict: kind, reason };
}
