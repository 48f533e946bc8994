import { type JudgeContext, judgeAsset } from "../../src/assets/review/judge-asset.ts";
import { revokeAsset } from "../../src/assets/review/revoke-asset.ts";
import type { Actor, AssetId } from "../../src/ids.ts";

export const byCommand: Actor = { kind: "command", user: "op", address: null, requestId: null };

/** Claims and judges an asset, as an operator's command does. A refusal takes effect at once. */
export async function judge(ctx: JudgeContext, assetId: AssetId, verdict: "passed" | "refused") {
  const judgement =
    verdict === "passed"
      ? { verdict, text: "fine" }
      : { verdict, code: "illegal" as const, text: "shows a crime" };
  await judgeAsset(ctx, byCommand, assetId, judgement, { claims: true });
}

export async function revoke(ctx: JudgeContext, assetId: AssetId): Promise<void> {
  await revokeAsset(ctx, byCommand, assetId, "the owner asked");
}
