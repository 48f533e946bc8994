import { z } from "zod";
import type { Model } from "../models/model.ts";
import type { Rates } from "../models/rates.ts";
import { upscalerModel, upscalerRateKeys } from "../models/upscaler.ts";

/** A rate may not make a price that JavaScript cannot count. */
const rateMax = 1_000_000_000;
const modelsMax = 200;
const ratesMax = 200;

const rates = z
  .record(z.string().max(60), z.int().min(1).max(rateMax))
  .refine((all) => Object.keys(all).length <= ratesMax, {
    error: `must have at most ${ratesMax} rates`,
  });

/** The content of a version of a price book: for each model its rates by their keys, in credits. */
export const priceDocument = z
  .record(z.string().max(100), rates)
  .refine((all) => Object.keys(all).length <= modelsMax, {
    error: `must have at most ${modelsMax} models`,
  })
  .meta({ id: "PriceDocument" });
export type PriceDocument = z.output<typeof priceDocument>;

/** The rates of a model, or null if the book lacks one that it needs: then it is not for sale there. */
export function ratesIn(
  document: PriceDocument,
  { name, rateKeys }: Pick<Model, "name" | "rateKeys">,
): Rates | null {
  const found = Object.hasOwn(document, name) ? document[name] : undefined;
  return found !== undefined && rateKeys.every((key) => Object.hasOwn(found, key)) ? found : null;
}

/** The upscaler as a book has it: priced like a model. */
export const upscalerPriced = { name: upscalerModel, rateKeys: upscalerRateKeys };
