import { z } from "zod";

const modelsMax = 200;
const keysMax = 100;
const unitsMax = 10;

/** Rates and units are texts: they are integers or decimals that JSON's numbers may not hold. */
const rate = z
  .string()
  .regex(/^\d{1,12}$/, { error: "must be an integer of at most 12 digits, as a text" })
  .meta({ description: "In millionths of the smallest unit of the currency, for one unit." });
const units = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,6})?$/, { error: "must be a decimal, as a text, such as 21600 or 0.5" });

const unitRate = z.strictObject({
  unit: z
    .string()
    .regex(/^[A-Za-z]\w{0,39}(\.\w{1,40})?$/, { error: "must be the name of a unit" })
    .meta({ description: "As the vendor reports it, such as completion_tokens." }),
  rate,
  minimum: units.optional().meta({ description: "What the vendor charges at least." }),
  isOptional: z
    .boolean()
    .default(false)
    .meta({ description: "Whether a report without this unit means none of it." }),
  estimate: z
    .strictObject({
      perSecond: units.optional().meta({ description: "Of the output." }),
      perInputSecond: units.optional().meta({ description: "Of all input videos." }),
      perImage: units.optional(),
    })
    .optional()
    .meta({ description: "Units where the vendor reports none, and until it has reported." }),
});
export type UnitRate = z.output<typeof unitRate>;

const rates = z
  .record(z.string().max(60), z.array(unitRate).min(1).max(unitsMax))
  .refine((all) => Object.keys(all).length <= keysMax, {
    error: `must have at most ${keysMax} keys`,
  })
  .meta({
    description:
      "By rate key of the price books, such as 720p.withVideo; `*` is for the keys that are not named.",
  });

const modelCosts = z.strictObject({
  rates,
  failed: z.enum(["free", "reported", "full"]).meta({
    description:
      "What a failed job costs: nothing, the units that the vendor reports for it, or as much as one that succeeded.",
  }),
});

/** The content of a version of a cost book: for each model of the vendor what a vendor account is charged. */
export const costDocument = z
  .strictObject({
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, { error: "must be a currency of ISO 4217, such as USD" }),
    models: z
      .record(z.string().max(200), modelCosts)
      .refine((all) => Object.keys(all).length <= modelsMax, {
        error: `must have at most ${modelsMax} models`,
      })
      .meta({ description: "By the vendor's name of the model." }),
  })
  .meta({ id: "CostDocument" });
export type CostDocument = z.output<typeof costDocument>;
