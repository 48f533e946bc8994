import assert from "node:assert";
import { type Model, modelOf } from "../models/model.ts";
import { type PriceLine, priceOf } from "../models/prices.ts";
import type { Rates } from "../models/rates.ts";
import type { ModelRequest } from "../models/request.ts";
import { ratesIn } from "./document.ts";
import type { PriceBooks } from "./price-books.ts";

interface BooksContext {
  prices: PriceBooks;
  models: readonly Model[];
}

/** The rates by which the release before priced everything: those of version 1. */
export async function firstRatesOf(
  { prices }: Pick<BooksContext, "prices">,
  book: string,
  model: Pick<Model, "name" | "rateKeys">,
): Promise<Rates | null> {
  const version = await prices.find(book, 1);
  return version === undefined ? null : ratesIn(version.document, model);
}

/** The lines of a task that was accepted by the release before, which stored none. */
export async function firstLinesOf(
  ctx: BooksContext,
  request: ModelRequest,
  book: string,
): Promise<PriceLine[]> {
  const model = modelOf(ctx.models, request);
  const rates = await firstRatesOf(ctx, book, model);
  assert(rates !== null, `version 1 of the book ${book} has no rates of ${model.name}`);
  return priceOf(model, request, rates).lines;
}
