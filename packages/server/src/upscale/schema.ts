import { z } from "zod";

const urlCharactersMax = 4_096;
const targetRule = "must be 1080p, 2k or 4k";
const sourceRule = "must be {type: 'url', url} or {type: 'uploadId', storageUrl}";
const link = z
  .string({ error: ({ input }) => (input === undefined ? "is required" : "must be a URL") })
  .max(urlCharactersMax, { error: `must have at most ${urlCharactersMax} characters` });

export const createUpscaleBody = z.strictObject({
  source: z.discriminatedUnion(
    "type",
    [
      z.strictObject({
        type: z.literal("url"),
        url: link.meta({ description: "Public https. MP4, MOV or WebM, up to 200 MB and 600 s." }),
      }),
      z.strictObject({
        type: z.literal("uploadId"),
        storageUrl: link.meta({
          description:
            "The storageUrl of an asset of yours, whatever its review says. A copy that is not stored yet is waited for.",
        }),
      }),
    ],
    { error: sourceRule },
  ),
  targetResolution: z.enum(["1080p", "2k", "4k"], { error: targetRule }).meta({
    description:
      "Short side 1080, 1440 or 2160, aspect kept; must be more than the source's short side.",
  }),
  callBackUrl: link
    .nullish()
    .meta({ description: "Called once the task is completed or failed. Public http or https." }),
});
export type CreateUpscaleBody = z.output<typeof createUpscaleBody>;

export const createUpscaleAnswer = z.object({
  taskId: z.string(),
  orderId: z.string().meta({ description: "The hold of the credits, in the ledger." }),
  status: z.literal("validating"),
});
export type CreateUpscaleAnswer = z.output<typeof createUpscaleAnswer>;

export const queryUpscaleQuery = z.object({
  taskId: z
    .string({ error: "is required: the id that upscale/create answered" })
    .min(1, { error: "is required: the id that upscale/create answered" })
    .meta({ description: "The id that upscale/create answered." }),
});

const timeRule = "ISO 8601, UTC.";

export const upscaleTask = z
  .object({
    taskId: z.string(),
    status: z.enum(["validating", "processing", "completed", "failed"]),
    targetResolution: z.enum(["1080p", "2k", "4k"]),
    progress: z.int().meta({
      description:
        "Percent; it never falls while the task runs, is 100 once completed and 0 once failed.",
    }),
    creditsConsumed: z.int().nullable().meta({ description: "null unless completed." }),
    result: z
      .object({
        url: z.string(),
        width: z.int(),
        height: z.int(),
        expiresAt: z
          .int()
          .nullable()
          .meta({ description: "Until then the link works. Milliseconds since 1970." }),
        probedDurationSeconds: z.number().meta({ description: "Of the source, measured." }),
        probedSourceResolution: z.string().meta({ description: "<width>x<height>, measured." }),
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
      .meta({ description: `null until it has ended. ${timeRule}` }),
  })
  .meta({ id: "UpscaleTask" });
export type UpscaleTask = z.output<typeof upscaleTask>;

/** What is kept of a request: where the source is, and what it is to become. */
export interface UpscaleRequest {
  target: CreateUpscaleBody["targetResolution"];
  /** The key of a stored copy of the caller's, an asset whose copy is waited for, or an address that is fetched once. */
  source: { url: string } | { key: string } | { asset: string };
}
