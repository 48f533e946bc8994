import { type ObjectContext, object, TerminalError } from "@restatedev/restate-sdk";
import type { Context } from "../context.ts";
import { objectOptionsOf, patienceOf } from "../durable.ts";
import { decideAsset } from "./queries.ts";
import { reviewAsset } from "./review-asset.ts";
import { storeAsset } from "./store-asset.ts";

/** The durable side of an asset, one object per asset. A waiting asset is a row with a time. */
export function assetObject(ctx: Context) {
  const patience = patienceOf(ctx.config);
  return object({
    name: "asset",
    handlers: {
      /** Caused by the upload, by a query, by a decision, or by the sweep. */
      advance: async (step: ObjectContext) => {
        const assetId = Number(step.key);
        try {
          await step.run("store copy", () => storeAsset(ctx, assetId), patience);
          await step.run("review", () => reviewAsset(ctx, assetId), patience);
        } catch (error) {
          if (!(error instanceof TerminalError)) throw error;
          ctx.log.error({ event: "asset.broken", assetId, reason: error.message });
          const reason = "The file could not be taken in. Upload it again.";
          await step.run("fail", () => decideAsset(ctx.db, assetId, "FAILED", reason), patience);
        }
      },
    },
    options: objectOptionsOf(ctx.config),
  });
}
