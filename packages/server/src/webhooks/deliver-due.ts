import { noteFailures, noteSuccess } from "../db/each-row.ts";
import { forgetFailures } from "../db/stuck-rows.ts";
import { attemptDelivery } from "./attempt-delivery.ts";
import type { WebhooksContext } from "./context.ts";
import { countInFlight, shareSlots } from "./lanes.ts";
import { type DueDelivery, deliveriesLoop } from "./queries.ts";
import { attemptMsUsual, attemptsUsual } from "./schedule.ts";
import { deliveryRows, takeDeliveries } from "./take-deliveries.ts";
import { createLaneWalk } from "./walk-lanes.ts";

/** Attempts at once in this process: in all, of one account to one host, of one account, to one host. */
const bounds = { slotsMax: 1_024, laneMax: 16, accountMax: 128, hostMax: 64 };
const leaseAfterMs = 5_000;

/**
 * Delivers what is due until told to stop; then lets the attempts under way end.
 * Deliveries are rows with a time: several workers share them, and none needs the engine.
 */
export async function deliverDue(
  ctx: WebhooksContext,
  stop: AbortSignal,
  onTurn: () => void = () => {},
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const inFlight = countInFlight();
  const leaseMs = attemptMsUsual / ctx.config.webhooks.speed + leaseAfterMs;
  const walk = createLaneWalk();
  let isCrowded = false; // somebody has to wait for a slot
  while (!stop.aborted) {
    await ctx.deliverySignal.wait(ctx.config.webhooks.intervalMs, stop);
    try {
      const { due, isMore } = await walk.look(ctx.db);
      if (isMore) ctx.deliverySignal.ring();
      const shares = shareSlots(due, inFlight, bounds);
      const taken = await takeDeliveries(ctx, shares, { attemptsUsual, leaseMs });
      isCrowded = shares.length < due.length || taken.length >= sum(shares);
      for (const delivery of taken) begin(delivery);
      onTurn();
    } catch (error) {
      ctx.log.error({ event: "deliveries.broken", reason: String(error) });
    }
  }
  await Promise.all(underWay);

  function begin(delivery: DueDelivery): void {
    inFlight.change(delivery, 1);
    const attempt = attemptDelivery(ctx, delivery)
      .then(() => {
        noteSuccess(deliveriesLoop);
        return delivery.hasFailed
          ? forgetFailures(ctx.db, deliveriesLoop, [delivery.deliveryId])
          : undefined;
      })
      .catch((error) => noteFailures(ctx, deliveryRows, [delivery], error))
      .finally(() => {
        inFlight.change(delivery, -1);
        underWay.delete(attempt);
        if (isCrowded) ctx.deliverySignal.ring();
      });
    underWay.add(attempt);
  }
}

function sum(shares: readonly { rowsMax: number }[]): number {
  return shares.reduce((total, { rowsMax }) => total + rowsMax, 0);
}
