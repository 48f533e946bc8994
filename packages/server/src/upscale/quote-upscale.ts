import type { Caller } from "../accounts/queries.ts";
import { secondsBilled, upscaleItem } from "../models/upscaler.ts";
import type { SwitchesContext } from "../switches/context.ts";
import { planUpscale } from "./create-upscale.ts";
import type { CreateUpscaleBody, QuoteUpscaleAnswer } from "./schema.ts";

/** upscale/quote: what upscale/create would hold for the same body. Fetches, holds and writes nothing. */
export async function quoteUpscale(
  ctx: SwitchesContext,
  caller: Caller,
  body: CreateUpscaleBody,
): Promise<QuoteUpscaleAnswer> {
  const { request, length, priceSchedule } = await planUpscale(ctx, caller, body);
  const seconds = secondsBilled(length);
  const item = upscaleItem(request.target, seconds, priceSchedule);
  const isMeasured = length !== null && length.frames !== null;
  return { credits: item.credits, seconds, isMeasured, items: [item] };
}
