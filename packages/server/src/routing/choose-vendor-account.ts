import type { Context } from "../context.ts";
import type { VendorAccount } from "../vendors/vendor.ts";
import { passPace } from "./pace-queries.ts";
import { countOpenJobs, noteBudgetSpent, readUse } from "./queries.ts";

/** A budget is looked at again after this long: an operator may have raised it. */
const budgetMs = 60_000;
export const fullMs = 5_000;

/** Whether a task may be submitted to an account now; if not, how long to wait at least. */
type Availability = { isAvailable: true } | { isAvailable: false; waitMs: number };

const wait = (waitMs: number): Availability => ({ isAvailable: false, waitMs });

/**
 * Asks everything that holds submits to an account back, over all processes, before inputs are fetched:
 * a pause, open jobs, the credits of the day, the vendor's throttle and failures. The limits are
 * checked again with the claim.
 */
export async function checkAvailability(
  ctx: Pick<Context, "config" | "db" | "log">,
  { credits }: { credits: number },
  vendorAccount: VendorAccount,
): Promise<Availability> {
  const { name, openJobsMax, creditsPerDayMax } = vendorAccount;
  if (vendorAccount.state !== "open") return wait(fullMs);
  if (openJobsMax !== null && (await countOpenJobs(ctx.db, name, openJobsMax)) >= openJobsMax)
    return wait(fullMs);
  if (creditsPerDayMax !== null) {
    const { creditsToday } = await readUse(ctx.db, name);
    if (creditsToday + credits > creditsPerDayMax) {
      ctx.log.warn({ event: "vendor.budget_spent", vendorAccount: name, creditsPerDayMax });
      await noteBudgetSpent(ctx.db, name);
      return wait(budgetMs);
    }
  }
  // Last, because it may let this caller alone through to test the vendor.
  const pace = await passPace(ctx.db, name, ctx.config.vendors.breakMs);
  return pace.mayCall ? { isAvailable: true } : wait(pace.waitMs);
}
