import { z } from "zod";

const rule = "must be the priceVersion of a quote";

export const priceVersionInput = z
  .string({ error: rule })
  .min(1, { error: rule })
  .max(60, { error: rule })
  .nullish()
  .meta({
    description:
      "The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end. Later the request is refused with 409 price_changed.",
  });

export const quotedVersion = z.string().meta({
  description: "The version of the price book that priced it, for `priceVersion` of the request.",
});
