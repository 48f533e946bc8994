import { z } from "zod";

const epoch = z.int().meta({ description: "Epoch milliseconds." });

export const timelineQuery = z.strictObject({
  taskId: z
    .string({ error: "is required: the id of a task" })
    .min(1, { error: "is required: the id of a task" })
    .max(100, { error: "must be the id of a task" })
    .meta({ description: "The id of a generation or upscale task." }),
});

const entry = z
  .object({
    event: z
      .enum([
        "accepted",
        "submit",
        "vendorAccepted",
        "vendorFinished",
        "stored",
        "upscaled",
        "finished",
        "delivery",
      ] as const)
      .meta({ description: "What the entry ends with." }),
    state: z
      .enum(["waiting", "working"])
      .meta({ description: "Whether the task waited for the event or was worked on." }),
    from: epoch,
    to: epoch.nullable().meta({ description: "null while it lasts. Epoch milliseconds." }),
    outcome: z.string().nullable().optional().meta({
      description:
        "Of a submit: accepted, delivered, refused, throttled, unavailable or unknown. Of finished: the status. Of a delivery: delivered or failed. null while it lasts.",
    }),
    errorCode: z.string().nullable().optional().meta({ description: "Of a failed task." }),
    segmentCount: z.int().optional().meta({ description: "Of an upscale." }),
    segments: z
      .array(z.object({ number: z.int(), from: epoch.nullable(), to: epoch.nullable() }))
      .optional()
      .meta({ description: "The first 100 segments of an upscale, each worked on by itself." }),
    deliveryId: z.string().optional(),
    url: z.string().optional().meta({ description: "Where a delivery goes." }),
    attempt: z.int().optional().meta({ description: "The number of the attempt." }),
    status: z.int().nullable().optional().meta({ description: "Of the receiver's response." }),
    reason: z.string().nullable().optional().meta({ description: "Why the attempt failed." }),
  })
  .meta({ id: "TimelineEntry" });

const operatorEntry = entry.extend({
  vendorAccount: z.string().optional(),
  vendorJobId: z.string().nullable().optional(),
  detail: z.string().nullable().optional().meta({ description: "The vendor's response." }),
});
export type TimelineEntry = z.output<typeof operatorEntry>;

const timeline = {
  taskId: z.string(),
  kind: z.enum(["generation", "upscale"]),
  waitingMs: z.int().meta({ description: "How long the task waited until it finished, so far." }),
  workingMs: z.int().meta({ description: "How long it was worked on." }),
};
export const timelineAnswer = z.object({ ...timeline, entries: z.array(entry) });
/** The timeline with vendors' names and texts. */
export const operatorTimelineAnswer = z.object({ ...timeline, entries: z.array(operatorEntry) });
export type Timeline = z.output<typeof operatorTimelineAnswer>;
