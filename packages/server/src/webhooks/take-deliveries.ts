import type { Context } from "../context.ts";
import { isUnavailable } from "../db/database.ts";
import { reasonOf } from "../db/stuck-rows.ts";
import { noteFailures } from "../flow/each-row.ts";
import type { AccountId, DeliveryId } from "../ids.ts";
import type { Lane } from "./lanes.ts";
import { type DueDelivery, deliveriesLoop, listDueIds, takeDueDeliveries } from "./queries.ts";

type Share = { lane: Lane; rowsMax: number };
type DeliveryRow = { deliveryId: DeliveryId; accountId: AccountId };
type Limits = { attemptsUsual: number; leaseMs: number };

/**
 * The rows of deliveries as `noteFailures` takes them, for failures in taking one or in recording its
 * result.
 */
export const deliveryRows = {
  loop: deliveriesLoop,
  keyOf: ({ deliveryId }: DeliveryRow) => deliveryId,
  accountOf: ({ accountId }: DeliveryRow) => accountId,
};

/**
 * Takes due deliveries of lanes in one statement. If that fails, the lanes are bisected until the
 * failing one is found, and its deliveries are taken one by one: what cannot be taken is counted as
 * stuck, everything else is delivered.
 */
export async function takeDeliveries(
  ctx: Context,
  shares: readonly Share[],
  limits: Limits,
): Promise<DueDelivery[]> {
  try {
    return await takeDueDeliveries(ctx.db, shares, limits);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    ctx.log.warn({ event: "deliveries.bisected", lanes: shares.length, reason: reasonOf(error) });
  }
  const [only] = shares;
  if (only !== undefined && shares.length === 1) return takeOneByOne(ctx, only, limits);
  const half = Math.ceil(shares.length / 2);
  return [
    ...(await takeDeliveries(ctx, shares.slice(0, half), limits)),
    ...(await takeDeliveries(ctx, shares.slice(half), limits)),
  ];
}

async function takeOneByOne(ctx: Context, share: Share, limits: Limits): Promise<DueDelivery[]> {
  const { lane } = share;
  const taken: DueDelivery[] = [];
  for (const deliveryId of await listDueIds(ctx.db, share)) {
    try {
      const one = { lane, rowsMax: 1, deliveryId };
      taken.push(...(await takeDueDeliveries(ctx.db, [one], limits)));
    } catch (error) {
      await noteFailures(ctx, deliveryRows, [{ deliveryId, accountId: lane.accountId }], error);
    }
  }
  return taken;
}
