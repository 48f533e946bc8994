import { type ObjectContext, object, TerminalError } from "@restatedev/restate-sdk";
import type { Context } from "../context.ts";
import { objectOptionsOf, retryPolicyOf } from "../engine/durable.ts";
import { serviceName } from "../engine/service-name.ts";
import type { AssetId } from "../ids.ts";
import type { AssetsContext } from "./context.ts";
import { findAsset } from "./queries.ts";
import { reviewAsset } from "./review/review-asset.ts";
import { decideAsset } from "./settle-queries.ts";
import { postponeAsset } from "./step-queries.ts";
import { storeAsset } from "./store-asset.ts";

/** Internal failures are retried, but not forever. */
const retryMsMax = 24 * 60 * 60 * 1000;

async function giveUpOld(ctx: Context, assetId: AssetId): Promise<void> {
  const asset = await findAsset(ctx.db, assetId);
  if (asset === undefined) return;
  const since = asset.turn_at ?? asset.created_at;
  if (Date.now() - since.getTime() < retryMsMax) return postponeAsset(ctx.db, assetId);
  const reason = "The file could not be stored or reviewed. Upload it again.";
  await decideAsset(ctx.db, assetId, { status: "FAILED", code: "broken", reason });
}

/** The durable side of an asset, one object per asset. A waiting asset is a row with a time. */
export function assetObject(ctx: AssetsContext) {
  const retryPolicy = retryPolicyOf(ctx.config);
  return object({
    name: serviceName("asset", ctx.config.database.shard),
    handlers: {
      /** Woken by the upload, a status query, a decision, or the sweep. */
      advance: async (step: ObjectContext) => {
        const assetId = Number(step.key) as AssetId; // only wake-ups name it
        try {
          await step.run("store copy", () => storeAsset(ctx, assetId), retryPolicy);
          await step.run("review", () => reviewAsset(ctx, assetId), retryPolicy);
        } catch (error) {
          if (!(error instanceof TerminalError)) throw error;
          ctx.log.error({ event: "asset.broken", assetId, reason: error.message });
          await step.run("give up or wait", () => giveUpOld(ctx, assetId), retryPolicy);
        }
      },
    },
    options: objectOptionsOf(ctx.config),
  });
}
