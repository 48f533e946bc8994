import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import type { OpenTask } from "../../tasks/open-task-queries.ts";
import { claimSubmit, claimSubmitIn } from "../../tasks/submit-queries.ts";
import {
  countOpenJobs,
  lockLimits,
  returnCredits,
  takeCredits,
} from "../../vendor-accounts/queries.ts";
import type { SubmitResult, VendorAccount } from "../../vendors/vendor.ts";

/** The account has as many open jobs, or has used as many credits today, as it may. */
export class AccountFull extends Error {}

class NotClaimed extends Error {}

type Claim = Parameters<typeof claimSubmit>[1];

export function hasLimits({ openJobsMax, creditsPerDayMax }: VendorAccount): boolean {
  return openJobsMax !== null || creditsPerDayMax !== null;
}

/**
 * Claims a submit within the limits of its account: counted and claimed in one transaction, one after
 * the other over all processes, so that the limits hold however many are submitted at once.
 */
export async function claimWithin(
  { db, pool }: Context,
  account: VendorAccount,
  { credits }: OpenTask,
  claim: Claim,
): Promise<{ startedAt: Date } | undefined> {
  if (!hasLimits(account)) return claimSubmit(pool, claim);
  const { name, openJobsMax, creditsPerDayMax: creditsMax } = account;
  const claiming = inTransaction(db, async (tx) => {
    await lockLimits(tx, name);
    if (openJobsMax !== null && (await countOpenJobs(tx, name, openJobsMax)) >= openJobsMax)
      throw new AccountFull();
    if (creditsMax !== null && !(await takeCredits(tx, { name, credits, creditsMax })))
      throw new AccountFull();
    const claimed = await claimSubmitIn(tx, claim);
    if (claimed === undefined) throw new NotClaimed(); // undoes the credits
    return claimed;
  });
  return claiming.catch((error) => {
    if (error instanceof NotClaimed) return undefined;
    throw error;
  });
}

/** Returns the credits of a submit that is proven not accepted, so that refused input uses up no budget. */
export async function settleCredits(
  ctx: Context,
  { name, creditsPerDayMax }: VendorAccount,
  { credits }: OpenTask,
  { kind }: Pick<SubmitResult, "kind">,
): Promise<void> {
  const isRefused = kind === "refused" || kind === "throttled" || kind === "unavailable";
  if (creditsPerDayMax === null || !isRefused) return;
  await returnCredits(ctx.db, name, credits).catch((error) =>
    ctx.log.warn({ event: "vendor.credits_kept", vendorAccount: name, reason: String(error) }),
  );
}
