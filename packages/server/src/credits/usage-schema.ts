import { z } from "zod";
import { cursorMeta, cursorRule, pageLimit, timeRule } from "../http/paging.ts";

export type UsageUnit = "hour" | "day" | "month";
export type UsageGroup = "model" | "key" | "status";

const time = z.iso.datetime({ offset: true, error: timeRule });

export const usageQuery = z.strictObject({
  by: z
    .enum(["hour", "day", "month"], { error: "must be hour, day or month" })
    .default("day")
    .meta({ description: "Length of the intervals. They begin and end in UTC." }),
  group: z
    .enum(["model", "key", "status"], { error: "must be model, key or status" })
    .optional()
    .meta({ description: "An item for each value within an interval; without it, one item." }),
  from: time.optional().meta({
    description:
      "The first interval is the one that contains this time. By default 24 hours, 30 days or 12 months before `to`.",
  }),
  to: time.optional().meta({
    description:
      "Intervals that begin before this time are included; by default now. At most 31 days, 732 days or 60 months after `from`.",
  }),
  cursor: z
    .string()
    .regex(/^\d{1,13}:[\w.-]{0,200}$/, { error: cursorRule })
    .optional()
    .meta(cursorMeta),
  limit: pageLimit({ usual: 1_000, max: 1_000 }),
});
export type UsageQuery = z.output<typeof usageQuery>;

const usageItem = z
  .object({
    start: z.int().meta({ description: "Beginning of the interval. Epoch milliseconds." }),
    value: z.string().nullable().meta({
      description:
        "The model, the keyId or the status, by `group`. null without `group`, and for tasks that no key created.",
    }),
    name: z.string().nullable().meta({ description: "With `group=key`: the name of the key." }),
    completed: z.int().meta({ description: "Tasks that completed in this interval." }),
    failed: z.int().meta({ description: "Tasks that failed in this interval." }),
    credits: z.int().meta({
      description: "Credits charged: the captures that the ledger has in this interval.",
    }),
    videoSeconds: z.number().meta({ description: "Total length of the videos that were made." }),
  })
  .meta({ id: "UsageItem" });
export type UsageItem = z.output<typeof usageItem>;

export const usagePage = z.object({
  by: z.enum(["hour", "day", "month"]),
  group: z.enum(["model", "key", "status"]).nullable(),
  from: z.int().meta({ description: "Beginning of the first interval. Epoch milliseconds." }),
  to: z.int().meta({ description: "Epoch milliseconds." }),
  items: z
    .array(usageItem)
    .meta({ description: "Oldest first. Intervals without an ended task are left out." }),
  nextCursor: z.string().nullable().meta({ description: "null on the last page." }),
});
export type UsagePage = z.output<typeof usagePage>;

export const usageCsv = z.string().meta({
  description:
    "For `Accept: text/csv`: the same items, a line each, after a line of names. The Link header names the next page, if there is one.",
});
