import { z } from "zod";
import { time } from "../schema.ts";

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
          description: "How long the same submits took until the vendor answered; null: none did.",
        }),
        submits: z.record(z.string(), z.int()).meta({
          description:
            "By outcome: accepted, delivered, refused, throttled, unavailable, unknown, open.",
        }),
      })
      .meta({ id: "VendorAccount" }),
  ),
});

export const vendorTestAnswer = z.object({
  works: z.boolean(),
  result: z.string().meta({ description: "What was seen, in words." }),
  ms: z.int().meta({ description: "How long the call took." }),
});
