import type { Caller } from "../accounts/queries.ts";
import { secondsBilled } from "../models/upscaler.ts";
import type { PricesContext } from "../prices/context.ts";
import { planUpscale } from "./create-upscale.ts";
import type { CreateUpscaleBody, QuoteUpscaleAnswer } from "./schema.ts";

/** upscale/quote: what upscale/create would hold for the same body. Fetches, holds and writes nothing. */
export async function quoteUpscale(
  ctx: PricesContext,
  caller: Caller,
  body: CreateUpscaleBody,
): Promise<QuoteUpscaleAnswer> {
  const { length, pricing, price } = await planUpscale(ctx, caller, body, null);
  const seconds = secondsBilled(length);
  const isMeasured = length !== null && length.frames !== null;
  const { credits, items } = price;
  return { credits, seconds, isMeasured, items, priceVersion: pricing.version.id };
}
