import type { OpenTask } from "../../tasks/queries.ts";
import { passPace } from "../../tasks/throttle-queries.ts";
import { countOpenJobs, returnCredits, takeCredits } from "../../vendor-accounts/queries.ts";
import type { VendorAccount } from "../../vendors/vendor.ts";
import type { GenerationContext } from "../context.ts";
import type { Attempt } from "./note-result.ts";

/** A limit or a pause is looked at again after this long: an operator may have changed it. */
const againMsMax = 60_000;
const soonMs = 5_000;

/** Whether a task may be submitted to an account now; if not, how long to wait at least. */
type Turn = { isOpen: true } | { isOpen: false; waitMs: number };

const wait = (waitMs: number): Turn => ({ isOpen: false, waitMs });

/**
 * Asks everything that can hold submits to an account back, over all processes: a pause, the vendor's
 * throttle, failures, open jobs, and the credits of the day. The credits are counted from here on;
 * `settleTurn` returns them.
 */
export async function takeTurn(
  ctx: GenerationContext,
  task: OpenTask,
  account: VendorAccount,
): Promise<Turn> {
  const { name, openJobsMax, creditsPerDayMax: creditsMax } = account;
  if (account.state !== "open") return wait(soonMs);
  if (openJobsMax !== null && (await countOpenJobs(ctx.db, name, openJobsMax)) >= openJobsMax)
    return wait(soonMs);
  const { credits } = task;
  if (creditsMax !== null && !(await takeCredits(ctx.db, { name, credits, creditsMax }))) {
    ctx.log.warn({ event: "vendor.budget_spent", vendorAccount: name, creditsMax });
    return wait(againMsMax);
  }
  // Last, because it may let this caller alone through to test the vendor.
  const pace = await passPace(ctx.db, name, ctx.config.vendors.breakMs);
  if (pace.isOpen) return { isOpen: true };
  await settleTurn(ctx, task, account, { kind: "moves on", isHopeless: false, afterMs: 0 });
  return pace;
}

/** Returns the credits of a submit that the vendor has not accepted, so that refused input costs no budget. */
export async function settleTurn(
  ctx: GenerationContext,
  { credits }: OpenTask,
  { name, creditsPerDayMax }: VendorAccount,
  outcome: Attempt,
): Promise<void> {
  const isAccepted =
    outcome.kind === "settled" ||
    outcome.kind === "delivered" ||
    (outcome.kind === "failed" && outcome.code === "vendor_unconfirmed");
  if (isAccepted || creditsPerDayMax === null) return;
  await returnCredits(ctx.db, name, credits).catch((error) =>
    ctx.log.warn({ event: "vendor.credits_kept", vendorAccount: name, reason: String(error) }),
  );
}
