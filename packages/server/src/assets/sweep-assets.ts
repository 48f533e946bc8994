import type { Context } from "../context.ts";
import { takeDueAssets } from "./step-queries.ts";

const rowsMax = 100;

/** Continues assets whose wake-up was lost or whose next check is due. */
export async function sweepAssets(ctx: Context): Promise<void> {
  for (const { id } of await takeDueAssets(ctx.db, rowsMax)) ctx.waker.wake("asset", "advance", id);
}
