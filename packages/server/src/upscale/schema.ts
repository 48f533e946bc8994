import { z } from "zod";
import type { TaskId } from "../ids.ts";
import type { OutputRef } from "../models/output-ref.ts";
import { priceItems } from "../models/prices.ts";
import { priceVersionInput, quotedVersion } from "../prices/schema.ts";
import { outputMedia } from "../tasks/output-media.ts";

const urlCharactersMax = 4_096;
const maxCreditsRule = "must be a whole number of credits, 0 or more";
const targetRule = "must be 1080p, 2k or 4k";
const sourceRule =
  "must be {type: 'url', url}, {type: 'uploadId', storageUrl} or {type: 'task', taskId, index}";
const indexRule = "must be a whole number, 0 or more";
const link = z
  .string({ error: ({ input }) => (input === undefined ? "is required" : "must be a URL") })
  .max(urlCharactersMax, { error: `must have at most ${urlCharactersMax} characters` });

/** A blank URL of the other kind is the same as none. */
const blank = z
  .literal("", { error: "is not accepted here" })
  .optional()
  .meta({ description: "Blank or left out." });

export const createUpscaleBody = z
  .strictObject({
    source: z.discriminatedUnion(
      "type",
      [
        z.strictObject({
          type: z.literal("url"),
          url: link.meta({
            description:
              "A public https URL of an MP4, MOV or WebM file of at most 200 MB and 600 s, or the link of one of your outputs.",
          }),
          storageUrl: blank,
        }),
        z.strictObject({
          type: z.literal("uploadId"),
          storageUrl: link.meta({
            description:
              "The storageUrl of one of your assets; its review does not matter. If its copy is not stored yet, the task waits for it.",
          }),
          url: blank,
        }),
        z.strictObject({
          type: z.literal("task"),
          taskId: z
            .string({
              error: ({ input }) => (input === undefined ? "is required" : "must be text"),
            })
            .meta({
              description: "A completed task of yours, of either kind, whose output is a video.",
            }),
          index: z
            .int({ error: indexRule })
            .min(0, { error: indexRule })
            .nullish()
            .meta({ description: "Which of its outputs; the first, 0, by default." }),
          url: blank,
          storageUrl: blank,
        }),
      ],
      { error: sourceRule },
    ),
    targetResolution: z.enum(["1080p", "2k", "4k"], { error: targetRule }).meta({
      description:
        "Short side of 1080, 1440 or 2160 pixels with the aspect ratio kept. Must be higher than the short side of the source.",
    }),
    callBackUrl: link.nullish().meta({
      description: "Called when the task is completed or failed. A public http or https URL.",
    }),
    maxCredits: z.int({ error: maxCreditsRule }).min(0, { error: maxCreditsRule }).nullish().meta({
      description:
        "Refuse the task with 402 if its price exceeds this. A source that is longer than it is known to be ends the task with price_above_max, and costs nothing.",
    }),
    priceVersion: priceVersionInput,
  })
  .meta({
    examples: [
      {
        source: { type: "url", url: "https://example.com/clip.mp4" },
        targetResolution: "4k",
        callBackUrl: "https://example.com/hooks/zoetrope",
        maxCredits: 100,
      },
      {
        source: { type: "task", taskId: "01a1dfbe-2278-74c8-800c-3a603e574d78", index: 0 },
        targetResolution: "2k",
      },
    ],
  });
export type CreateUpscaleBody = z.output<typeof createUpscaleBody>;

export const createUpscaleAnswer = z.object({
  taskId: z.string(),
  orderId: z.string().meta({ description: "The id of the hold in the ledger." }),
  status: z.literal("validating"),
});
export type CreateUpscaleAnswer = z.output<typeof createUpscaleAnswer> & { taskId: TaskId };

export const quoteUpscaleAnswer = z.object({
  credits: z.int().meta({
    description: "The credits that upscale/create would hold.",
  }),
  seconds: z.int().meta({ description: "The seconds that are billed." }),
  isMeasured: z.boolean().meta({
    description:
      "Whether the duration of the source and its frames, which count above 60 a second, are known. If not, this is the least price: the hold is raised once the source is measured.",
  }),
  items: priceItems.meta({ description: "The items of the price." }),
  priceVersion: quotedVersion,
});
export type QuoteUpscaleAnswer = z.output<typeof quoteUpscaleAnswer>;

export const queryUpscaleQuery = z.object({
  taskId: z
    .string({ error: "is required: the taskId returned by upscale/create" })
    .min(1, { error: "is required: the taskId returned by upscale/create" })
    .meta({ description: "The taskId returned by upscale/create." }),
});

const timeRule = "ISO 8601, UTC.";

export const upscaleTask = z
  .object({
    taskId: z.string(),
    status: z.enum(["validating", "processing", "completed", "failed"]),
    targetResolution: z.enum(["1080p", "2k", "4k"]),
    progress: z.int().meta({
      description:
        "Progress in percent. Never decreases while the task runs; 100 once completed, 0 once failed.",
    }),
    creditsConsumed: z.int().nullable().meta({ description: "null unless completed." }),
    result: outputMedia
      .extend({
        probedDurationSeconds: z.number().meta({ description: "Measured duration of the source." }),
        probedSourceResolution: z
          .string()
          .meta({ description: "Measured resolution of the source, <width>x<height>." }),
      })
      .nullable()
      .meta({ description: "null unless completed." }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: "null unless failed." }),
    createdAt: z.string().meta({ description: timeRule }),
    finishedAt: z
      .string()
      .nullable()
      .meta({ description: `null until the task has ended. ${timeRule}` }),
  })
  .meta({ id: "UpscaleTask" });
export type UpscaleTask = z.output<typeof upscaleTask>;

/** The stored request: the source and the target. */
export interface UpscaleRequest {
  /** The maximum price, once the source is measured. */
  maxCredits?: number;
  target: CreateUpscaleBody["targetResolution"];
  /**
   * The key of a stored copy, an asset whose copy is not stored yet, the output of a task, or a URL that
   * is fetched once.
   */
  source:
    | { url: string; key?: never; asset?: never; task?: never }
    | { key: string; url?: never; asset?: never; task?: never }
    | { asset: string; url?: never; key?: never; task?: never }
    | (OutputRef & { url?: never; key?: never; asset?: never });
}
