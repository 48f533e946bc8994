import type { Caller } from "../accounts/queries.ts";
import type { Price } from "../models/prices.ts";
import type { ModelsContext } from "./context.ts";
import { type Note, notesOf } from "./notes.ts";
import { planTask } from "./plan-task.ts";
import type { CreateTaskBody } from "./schema.ts";

/** quote: what createTask would hold for the same body. Holds nothing and writes nothing. */
export async function quoteTask(
  ctx: ModelsContext,
  caller: Caller,
  body: CreateTaskBody,
): Promise<Omit<Price, "lines"> & { priceVersion: string; notes?: Note[] }> {
  const rules = { inReview: "accepted" } as const; // the price does not wait
  const { price, pricing, request } = await planTask(ctx, caller, body, null, rules);
  const { credits, items } = price;
  return { credits, items, priceVersion: pricing.version.id, ...notesOf(request, null) };
}
