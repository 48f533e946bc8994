import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError, invalid } from "../errors.ts";
import { isId } from "../ids.ts";
import { findDelivery, reopenDeliveries, reopenDelivery } from "./record.ts";
import type { AgainBody } from "./schema.ts";

const rowsMax = 1_000;

/** Delivers again by hand: the same bytes and the same webhook-id, in a new round of attempts. */
export async function deliverAgain(ctx: Context, caller: Caller, body: AgainBody) {
  const queued = "deliveryId" in body ? await one(body.deliveryId) : await many(body);
  if (queued > 0) ctx.deliveryBell.ring();
  return { queued, isMore: queued === rowsMax };

  async function one(deliveryId: string): Promise<number> {
    const found = isId(deliveryId) && (await findDelivery(ctx.db, caller.id, deliveryId));
    if (!found) throw new ApiError("delivery_not_found");
    return reopenDelivery(ctx.db, deliveryId);
  }

  function many({ from, to, outcome }: Exclude<AgainBody, { deliveryId: string }>) {
    const range = { from: new Date(from), to: new Date(to) };
    if (range.from >= range.to) throw invalid("to", "must be after from");
    return reopenDeliveries(ctx.db, { ...range, accountId: caller.id, outcome }, rowsMax);
  }
}
