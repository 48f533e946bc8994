import { returnAllowance, takeAllowance } from "../accounts/allowances.ts";
import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError, invalid } from "../errors.ts";
import { isId } from "../ids.ts";
import type { WebhooksContext } from "./context.ts";
import { findDelivery, reopenDeliveries, reopenDelivery, roundsMax } from "./record.ts";
import type { AgainBody } from "./schema.ts";

const rowsMax = 1_000;

/** Redelivers on request: the same bytes and webhook-id, in a new round of attempts. */
export async function deliverAgain(ctx: WebhooksContext, caller: Caller, body: AgainBody) {
  if ("deliveryId" in body) await requireRound(ctx, caller, body.deliveryId);
  const allowance = {
    accountId: caller.id,
    kind: "redelivery",
    perMinuteMax: ctx.config.webhooks.redeliveriesPerMinuteMax,
  } as const;
  const reopen = chooseReopen(ctx, caller, body);
  const { granted, retryAfterSeconds } = await takeAllowance(ctx.pool, allowance, reopen.rowsMax);
  if (granted === 0) throw new ApiError("redelivery_limit", { retryAfterSeconds });
  const queued = await reopen.run(granted);
  await returnAllowance(ctx.pool, allowance, granted - queued);
  if (queued > 0) ctx.deliverySignal.notify();
  return { queued, isMore: reopen.rowsMax > 1 && queued === granted };
}

function chooseReopen(ctx: Context, caller: Caller, body: AgainBody) {
  if ("deliveryId" in body)
    return { rowsMax: 1, run: () => reopenDelivery(ctx.db, body.deliveryId) };
  const range = { from: new Date(body.from), to: new Date(body.to), outcome: body.outcome };
  if (range.from >= range.to) throw invalid("to", "must be after from");
  return {
    rowsMax,
    run: (rows: number) => reopenDeliveries(ctx.db, { ...range, accountId: caller.id }, rows),
  };
}

async function requireRound(ctx: Context, caller: Caller, deliveryId: string): Promise<void> {
  const found = isId(deliveryId) ? await findDelivery(ctx.db, caller.id, deliveryId) : undefined;
  if (found === undefined) throw new ApiError("delivery_not_found");
  if (found.nextAttemptAt === null && found.rounds >= roundsMax)
    throw new ApiError("redeliveries_spent");
}
