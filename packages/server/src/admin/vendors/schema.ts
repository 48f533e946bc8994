import { z } from "zod";
import { models } from "../../models/catalogue.ts";
import { vendorKinds } from "../../vendors/catalogue.ts";
import { reason, time } from "../schema.ts";

export const vendorsAnswer = z.object({
  submitsSince: time.nullable().meta({
    description:
      "The submits are those of tasks accepted since then: the newest 20,000 of the last hour.",
  }),
  items: z.array(
    z
      .object({
        name: z.string(),
        kind: z.string().nullable().meta({ description: "null: of the setting." }),
        source: z.enum(["database", "setting"]).meta({
          description: "Accounts of the setting VENDORS are changed in the setting.",
        }),
        state: z.enum(["open", "paused", "removed"]),
        baseUrl: z.string().nullable(),
        isTest: z.boolean().meta({ description: "For test keys." }),
        models: z
          .array(z.string())
          .nullable()
          .meta({ description: "null: all that it can serve." }),
        weight: z
          .int()
          .nullable()
          .meta({ description: "null: after the others, in the order of the setting." }),
        openJobs: z.int().meta({ description: "Counted up to 10,000." }),
        openJobsMax: z.int().nullable(),
        creditsToday: z.int().nullable().meta({ description: "null: it has no limit." }),
        creditsPerDayMax: z.int().nullable(),
        failures: z.int().meta({ description: "In a row, until now." }),
        skippedUntil: time.nullable().meta({
          description: "Submits go elsewhere until then: it kept failing, or refuses for a while.",
        }),
        submitMs: z.object({ median: z.int(), p95: z.int() }).nullable().meta({
          description: "How long the same submits took until the vendor responded; null: none did.",
        }),
        submits: z.record(z.string(), z.int()).meta({
          description:
            "By outcome: accepted, delivered, refused, throttled, unavailable, unknown, open.",
        }),
      })
      .meta({ id: "VendorAccount" }),
  ),
});

const weight = z.int().min(0).max(1_000);
const limit = z.int().min(1).nullable();
const apiKey = z
  .string()
  .regex(/^\S{1,16000}$/, { error: "must be one word" })
  .meta({ description: "The key at the vendor. It is stored encrypted and never shown." });
const unchecked = z.boolean().default(false).meta({
  description: "Whether the key is stored without a test call, which costs nothing.",
});
const kinds = vendorKinds.map(({ kind }) => kind) as [string, ...string[]];
const modelNames = models.map(({ name }) => name) as [string, ...string[]];

export const addVendorBody = z.strictObject({
  name: z.string().min(1).max(100),
  kind: z.enum(kinds, { error: `must be one of ${kinds.join(", ")}` }),
  baseUrl: z.string().min(1).max(2_000),
  apiKey,
  models: z
    .array(z.enum(modelNames, { error: `must be some of ${modelNames.join(", ")}` }))
    .min(1)
    .optional()
    .meta({ description: "Without any: all that it can serve." }),
  weight: weight.default(100),
  openJobsMax: limit.default(null),
  creditsPerDayMax: limit.default(null),
  settings: z
    .record(z.string(), z.unknown())
    .refine((settings) => !("apiKey" in settings), { error: "must not have apiKey" })
    .default({})
    .meta({ description: "More settings of the kind, such as `pollsPerSecond`." }),
  isTest: z.boolean().default(false).meta({ description: "For test keys." }),
  unchecked,
});
export const rotateVendorBody = z.strictObject({ apiKey, unchecked });
export const savedVendorAnswer = z.object({
  result: z.string().meta({ description: "What the test call saw, in words." }),
});
/** On the outside nullable: null is no limit, which is different from leaving it as it is. */
const changedLimit = z.int().min(1).optional().nullable().meta({
  description: "null: no limit. Left out: as it is.",
});
export const limitsBody = z
  .strictObject({
    openJobsMax: changedLimit,
    creditsPerDayMax: changedLimit,
    reason: reason.optional(),
  })
  .refine(
    ({ openJobsMax, creditsPerDayMax }) =>
      openJobsMax !== undefined || creditsPerDayMax !== undefined,
    { error: "must have openJobsMax or creditsPerDayMax" },
  );

export const vendorTestAnswer = z.object({
  works: z.boolean(),
  result: z.string().meta({ description: "What was seen, in words." }),
  ms: z.int().meta({ description: "How long the call took." }),
});
