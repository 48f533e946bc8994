import type { Context } from "../context.ts";
import type { Signal } from "../flow/signal.ts";

export interface WebhooksContext extends Context {
  /** Rung when a delivery has become due. */
  deliverySignal: Signal;
}
