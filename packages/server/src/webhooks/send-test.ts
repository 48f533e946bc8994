import { takeAllowance } from "../accounts/allowances.ts";
import type { Caller } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import { type DeliveryId, newId, shardOf } from "../ids.ts";
import { readCallbackUrl } from "./callback-url.ts";
import type { WebhooksContext } from "./context.ts";
import { insertTestDelivery } from "./delivery-queries.ts";
import { requireEndpoint } from "./endpoints/read-endpoints.ts";

/** Sends a test event to a URL or an endpoint, signed and recorded like every other. */
export async function sendTest(
  ctx: WebhooksContext,
  caller: Caller,
  to: string | { endpointId: string },
): Promise<{ deliveryId: DeliveryId }> {
  const endpoint =
    typeof to === "string" ? null : await requireEndpoint(ctx.db, caller.id, to.endpointId);
  const url = typeof to === "string" ? readCallbackUrl(ctx, to, "url") : (endpoint?.url ?? "");
  const allowance = {
    accountId: caller.id,
    kind: "test_event",
    perMinuteMax: ctx.config.webhooks.testEventsPerMinuteMax,
  } as const;
  const { granted, retryAfterSeconds } = await takeAllowance(ctx.pool, allowance, 1);
  if (granted === 0) throw new ApiError("test_event_limit", { retryAfterSeconds });
  const id = newId<DeliveryId>(shardOf(caller.id));
  const data = { test: true, message: "This is a test event.", deliveryId: id };
  const timestamp = new Date().toISOString();
  const body = JSON.stringify(endpoint === null ? data : { type: "test", timestamp, data });
  const endpointId = endpoint?.id ?? null;
  await insertTestDelivery(ctx.db, { id, accountId: caller.id, endpointId, url, body });
  ctx.deliverySignal.notify();
  return { deliveryId: id };
}
