import type { Context } from "../context.ts";
import type { AccountId } from "../ids.ts";
import { admitNextAssets, takeDueAssets } from "./step-queries.ts";

const rowsMax = 100;

/** Begins the files that are next in line: of one account, after a file of it is done, or of all. */
export async function admitWaitingAssets(ctx: Context, accountId: AccountId | null): Promise<void> {
  for (const id of await admitNextAssets(ctx.db, accountId)) ctx.waker.wake("asset", "advance", id);
}

/** Continues assets whose wake-up was lost, whose next check is due, or that were not admitted. */
export async function sweepAssets(ctx: Context): Promise<void> {
  for (const { id } of await takeDueAssets(ctx.db, rowsMax)) ctx.waker.wake("asset", "advance", id);
  await admitWaitingAssets(ctx, null);
}
