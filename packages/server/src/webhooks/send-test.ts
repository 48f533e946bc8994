import { takeAllowance } from "../accounts/allowances.ts";
import type { Caller } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import { type DeliveryId, newId, shardOf } from "../ids.ts";
import { readCallbackUrl } from "./callback-url.ts";
import type { WebhooksContext } from "./context.ts";
import { insertTestDelivery } from "./record.ts";

/** Sends a test event, signed and recorded like every other. */
export async function sendTest(
  ctx: WebhooksContext,
  caller: Caller,
  url: string,
): Promise<{ deliveryId: DeliveryId }> {
  const href = readCallbackUrl(ctx, url, "url");
  const allowance = {
    accountId: caller.id,
    kind: "test_event",
    perMinuteMax: ctx.config.webhooks.testEventsPerMinuteMax,
  } as const;
  const { granted, retryAfterSeconds } = await takeAllowance(ctx.pool, allowance, 1);
  if (granted === 0) throw new ApiError("test_event_limit", { retryAfterSeconds });
  const id = newId<DeliveryId>(shardOf(caller.id));
  const body = JSON.stringify({ test: true, message: "This is a test event.", deliveryId: id });
  await insertTestDelivery(ctx.db, {
    id,
    accountId: caller.id,
    url: href,
    body,
  });
  ctx.deliverySignal.notify();
  return { deliveryId: id };
}
