import type { Context } from "../context.ts";
import { takeDueAssets } from "./queries.ts";
import { dropExpiredUploads } from "./uploads/queries.ts";

const rowsMax = 100;

/**
 * Goes on with assets whose wake-up was lost, or whose review is due to be asked again, and forgets
 * uploads that are over.
 */
export async function sweepAssets(ctx: Context): Promise<void> {
  for (const { id } of await takeDueAssets(ctx.db, rowsMax))
    ctx.waker.wake("asset", "advance", String(id));
  await dropExpiredUploads(ctx.db, rowsMax);
}
