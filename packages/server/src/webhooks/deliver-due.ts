import type { Context } from "../context.ts";
import { attemptDelivery, attemptMsMax, attemptsMax } from "./attempt-delivery.ts";
import { closeExhausted, takeDueDeliveries } from "./queries.ts";

const slotsMax = 64; // attempts at once in this process
const leaseMs = attemptMsMax + 5_000;

/**
 * Delivers what is due until told to stop; then lets the attempts under way end.
 * Deliveries are rows with a time: several workers share them, and none needs the engine.
 */
export async function deliverDue(ctx: Context, stop: AbortSignal): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let closedAt = 0;
  while (!stop.aborted) {
    await ctx.deliveryBell.wait(ctx.config.DELIVERY_INTERVAL_MS, stop);
    try {
      if (performance.now() - closedAt > ctx.config.DELIVERY_INTERVAL_MS) {
        await closeExhausted(ctx.db, attemptsMax);
        closedAt = performance.now();
      }
      const rowsMax = slotsMax - underWay.size;
      if (rowsMax === 0) continue;
      const due = await takeDueDeliveries(ctx.db, { rowsMax, attemptsMax, leaseMs });
      for (const delivery of due) {
        const attempt = attemptDelivery(ctx, delivery)
          .catch((error) => ctx.log.error({ event: "delivery.broken", reason: String(error) }))
          .finally(() => {
            if (underWay.size === slotsMax) ctx.deliveryBell.ring(); // a slot is free
            underWay.delete(attempt);
          });
        underWay.add(attempt);
      }
    } catch (error) {
      ctx.log.error({ event: "deliveries.broken", reason: String(error) });
    }
  }
  await Promise.all(underWay);
}
