import { forgetFailures } from "../db/stuck-rows.ts";
import { noteFailures, noteSuccess } from "../flow/each-row.ts";
import { createOutage } from "../log.ts";
import { attemptDelivery } from "./attempt-delivery.ts";
import type { WebhooksContext } from "./context.ts";
import { createHealthNotes } from "./endpoints/note-health.ts";
import { countInFlight, shareAttempts } from "./lanes.ts";
import { type DueDelivery, deliveriesLoop } from "./queries.ts";
import { attemptMsUsual, attemptsUsual } from "./schedule.ts";
import { deliveryRows, takeDeliveries } from "./take-deliveries.ts";
import { createLaneWalk } from "./walk-lanes.ts";

/** Concurrent attempts in this process: in total, per account and host, per account, per host. */
const bounds = { attemptsMax: 1_024, laneMax: 16, accountMax: 128, hostMax: 64 };
const leaseAfterMs = 5_000;

/**
 * Delivers due rows until stopped, then waits for the attempts in progress. Deliveries are rows with a
 * time: workers share them, and no engine is needed.
 */
export async function deliverDue(
  ctx: WebhooksContext,
  stop: AbortSignal,
  onRound: () => void = () => {},
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const inFlight = countInFlight();
  const leaseMs = attemptMsUsual / ctx.config.webhooks.speed + leaseAfterMs;
  const walk = createLaneWalk();
  const health = createHealthNotes(ctx);
  const outage = createOutage(ctx.log, {
    failed: "deliveries.broken",
    over: "deliveries.recovered",
    level: "error",
  });
  let isAnyWaiting = false; // a delivery waits for a free attempt
  while (!stop.aborted) {
    await ctx.deliverySignal.wait(ctx.config.webhooks.intervalMs, stop);
    try {
      const { due, isMore } = await walk.next(ctx.db);
      if (isMore) ctx.deliverySignal.notify();
      const shares = shareAttempts(due, inFlight, bounds);
      const taken = await takeDeliveries(ctx, shares, { attemptsUsual, leaseMs });
      isAnyWaiting = shares.length < due.length || taken.length >= sum(shares);
      for (const delivery of taken) start(delivery);
      onRound();
      outage.end();
    } catch (error) {
      outage.note(error);
    }
  }
  await Promise.all(underWay);
  await health.close();

  function start(delivery: DueDelivery): void {
    inFlight.change(delivery, 1);
    const attempt = attemptDelivery(ctx, delivery)
      .then((result) => {
        if (delivery.endpointId !== null) health.note(delivery.endpointId, result);
        noteSuccess(ctx, deliveriesLoop);
        return delivery.hasFailed
          ? forgetFailures(ctx.db, deliveriesLoop, [delivery.deliveryId])
          : undefined;
      })
      .catch((error) => noteFailures(ctx, deliveryRows, [delivery], error))
      .finally(() => {
        inFlight.change(delivery, -1);
        underWay.delete(attempt);
        if (isAnyWaiting) ctx.deliverySignal.notify();
      });
    underWay.add(attempt);
  }
}

function sum(shares: readonly { rowsMax: number }[]): number {
  return shares.reduce((total, { rowsMax }) => total + rowsMax, 0);
}
