import { returnAllowance, takeAllowance } from "../accounts/allowances.ts";
import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError, invalid } from "../errors.ts";
import { type DeliveryId, parseId } from "../ids.ts";
import type { WebhooksContext } from "./context.ts";
import { findDelivery, reopenDeliveries, reopenDelivery, roundsMax } from "./delivery-queries.ts";
import { requireEndpoint } from "./endpoints/read-endpoints.ts";
import type { AgainBody } from "./schema.ts";

const rowsMax = 1_000;

/** Reopens at most as many deliveries as are granted; says how many it did. */
interface Reopen {
  rowsMax: number;
  run(granted: number): Promise<number>;
}

/** Redelivers on request: the same bytes and webhook-id, in a new round of attempts. */
export async function deliverAgain(ctx: WebhooksContext, caller: Caller, body: AgainBody) {
  const reopen =
    "deliveryId" in body
      ? await reopenOne(ctx, caller, body.deliveryId)
      : await reopenMany(ctx, caller, body);
  const allowance = {
    accountId: caller.id,
    kind: "redelivery",
    perMinuteMax: ctx.config.webhooks.redeliveriesPerMinuteMax,
  } as const;
  const { granted, retryAfterSeconds } = await takeAllowance(ctx.pool, allowance, reopen.rowsMax);
  if (granted === 0) throw new ApiError("redelivery_limit", { retryAfterSeconds });
  const queued = await reopen.run(granted);
  await returnAllowance(ctx.pool, allowance, granted - queued);
  if (queued > 0) ctx.deliverySignal.notify();
  return { queued, isMore: reopen.rowsMax > 1 && queued === granted };
}

async function reopenOne(ctx: Context, caller: Caller, id: string): Promise<Reopen> {
  const deliveryId = parseId<DeliveryId>(id);
  const found = deliveryId && (await findDelivery(ctx.db, caller.id, deliveryId));
  if (found === undefined) throw new ApiError("delivery_not_found");
  if (found.nextAttemptAt === null && found.rounds >= roundsMax)
    throw new ApiError("redeliveries_spent");
  return { rowsMax: 1, run: () => reopenDelivery(ctx.db, found.id) };
}

async function reopenMany(
  ctx: Context,
  caller: Caller,
  body: Exclude<AgainBody, { deliveryId: string }>,
): Promise<Reopen> {
  const range = { from: new Date(body.from), to: new Date(body.to), outcome: body.outcome };
  if (range.from >= range.to) throw invalid("to", "must be after from");
  const endpointId =
    body.endpointId === undefined
      ? undefined
      : (await requireEndpoint(ctx.db, caller.id, body.endpointId)).id;
  return {
    rowsMax,
    run: (rows) => reopenDeliveries(ctx.db, { ...range, endpointId, accountId: caller.id }, rows),
  };
}
