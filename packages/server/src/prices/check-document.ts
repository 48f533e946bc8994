import { invalid } from "../errors.ts";
import type { Model } from "../models/model.ts";
import type { PriceDocument } from "./document.ts";
import { upscalerPriced } from "./document.ts";

type Priced = Pick<Model, "name" | "rateKeys">;

/**
 * Refuses a document that names a model or a rate that this release does not know, that has a model without
 * one of its rates, or that does not price the upscaler. A model that is left out is not for sale.
 */
export function checkDocument(document: PriceDocument, models: readonly Priced[]): void {
  const known = new Map([...models, upscalerPriced].map((model) => [model.name, model]));
  for (const [name, rates] of Object.entries(document)) {
    const model = known.get(name);
    const param = `document.${name}`;
    if (model === undefined)
      throw invalid(
        param,
        `is no model of this release; there are ${[...known.keys()].join(", ")}`,
      );
    const missing = model.rateKeys.filter((key) => !Object.hasOwn(rates, key));
    if (missing.length > 0) throw invalid(param, `must have the rates ${missing.join(", ")}`);
    const more = Object.keys(rates).filter((key) => !model.rateKeys.includes(key));
    if (more.length > 0) throw invalid(param, `has no rates ${more.join(", ")}`);
  }
  if (!Object.hasOwn(document, upscalerPriced.name))
    throw invalid(`document.${upscalerPriced.name}`, "is required: the rates of the upscaler");
}

/**
 * The largest change of a rate, in per cent of what it was, rounded up. A rate that is no longer there counts
 * as 100: what it priced is not for sale any more. One that is new has nothing to be compared with.
 */
export function largestChange(before: PriceDocument, after: PriceDocument): number {
  const changes = Object.entries(before).flatMap(([model, rates]) =>
    Object.entries(rates).map(([key, rate]) => {
      const now = after[model]?.[key];
      return now === undefined ? 100 : Math.ceil((Math.abs(now - rate) * 100) / rate);
    }),
  );
  return Math.max(0, ...changes);
}
