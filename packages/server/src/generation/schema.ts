import { z } from "zod";
import { priceItems } from "../models/prices.ts";
import { priceVersionInput, quotedVersion } from "../prices/schema.ts";
import { outputMedia } from "../tasks/output-media.ts";

/** The maximum length of a URL in request and response bodies. The schemas of `inputs` are in models/. */
const urlCharactersMax = 4_096;
const maxCreditsRule = "must be a whole number of credits, 0 or more";

export const createTaskBody = z.strictObject({
  model: z
    .string({ error: "is required: the name of a model" })
    .meta({ description: "The model to use." }),
  inputs: z
    .custom<Record<string, unknown>>(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
      { error: "is required: an object" },
    )
    .meta({ description: "Inputs of the model." }),
  callBackUrl: z
    .string({ error: "must be a URL" })
    .max(urlCharactersMax, { error: `must be at most ${urlCharactersMax} characters` })
    .nullish()
    .meta({
      description: "Called when the task is COMPLETED or FAILED. A public http or https URL.",
    }),
  maxCredits: z
    .int({ error: maxCreditsRule })
    .min(0, { error: maxCreditsRule })
    .nullish()
    .meta({ description: "Refuse the task with 402 if its price exceeds this." }),
  priceVersion: priceVersionInput,
});
export type CreateTaskBody = z.output<typeof createTaskBody>;

export const createTaskAnswer = z.object({ taskId: z.string() });

const notes = z
  .array(z.object({ param: z.string(), message: z.string() }))
  .optional()
  .meta({
    description: "Where the task deviates from the request; omitted if it does not.",
  });

export const quoteAnswer = z.object({
  credits: z.int().meta({
    description:
      "The credits that createTask would hold and, on success, charge. An upscale that is not performed is not charged.",
  }),
  items: priceItems.meta({ description: "The items of the price; their credits add up to it." }),
  priceVersion: quotedVersion,
  notes,
});

export const queryTaskQuery = z.object({
  taskId: z
    .string({ error: "is required: the taskId returned by createTask" })
    .min(1, { error: "is required: the taskId returned by createTask" })
    .meta({ description: "The taskId returned by createTask." }),
});

export const deleteMediaAnswer = z.object({
  deleted: z.int().meta({ description: "Number of files deleted. Their links no longer work." }),
});

export const generationTask = z
  .object({
    taskId: z.string(),
    model: z.string(),
    status: z.enum(["PENDING", "PROCESSING", "COMPLETED", "FAILED"]),
    creditsUsed: z.int().meta({
      description: "The price of the task; 0 once it has failed and the hold is released.",
    }),
    output: z.array(outputMedia).nullable().meta({ description: "null unless COMPLETED." }),
    error: z.string().nullable().meta({ description: "Error message; null unless FAILED." }),
    errorCode: z
      .string()
      .nullable()
      .meta({ description: "Stable error code from the error catalogue; null unless FAILED." }),
    notes,
    createTime: z.int().meta({ description: "Epoch milliseconds." }),
    completeTime: z.int().nullable().meta({ description: "null until COMPLETED or FAILED." }),
  })
  .meta({ id: "GenerationTask" });
export type GenerationTask = z.output<typeof generationTask>;

const modelEntry = z
  .object({
    model: z.string(),
    kind: z.enum(["video", "image"]),
    title: z.string().meta({ description: "Name for display." }),
    summary: z.string(),
    deprecation: z
      .object({
        since: z.string().meta({ description: "Date of the announcement." }),
        sunset: z
          .string()
          .meta({ description: "Date from which the model is no longer available." }),
        link: z.string().meta({ description: "URL with migration instructions." }),
      })
      .nullable()
      .meta({ description: "null unless the model is deprecated." }),
    modes: z.array(
      z.object({
        mode: z.string(),
        title: z.string().meta({ description: "Name for display." }),
        description: z.string(),
        when: z.string().meta({ description: "The inputs that select this mode." }),
      }),
    ),
    inputs: z.record(z.string(), z.unknown()).meta({
      description:
        "JSON Schema of `inputs`: one alternative per mode, titled with its name. Its `x-` keywords describe a form.",
    }),
    prices: z.union([
      z.object({
        formula: z.string(),
        seconds: z.array(
          z.object({
            outputResolution: z.string(),
            creditsPerSecond: z.int(),
            creditsPerSecondWithVideo: z.int().nullable(),
          }),
        ),
        upscale: z.array(z.object({ upscaleResolution: z.string(), creditsPerSecond: z.int() })),
      }),
      z.object({
        formula: z.string(),
        images: z.array(
          z.object({
            resolution: z.string(),
            quality: z.string().nullable(),
            creditsPerImage: z.int(),
          }),
        ),
      }),
    ]),
    ageMaxSeconds: z
      .number()
      .meta({ description: "A task that reaches this age fails and is not charged." }),
  })
  .meta({ id: "Model" });
export type ModelEntry = z.output<typeof modelEntry>;

const upscalerEntry = z
  .object({
    formula: z.string(),
    targets: z.array(
      z.object({
        targetResolution: z.string(),
        shortSide: z.int().meta({ description: "Short side of the output in pixels." }),
        creditsPerSecond: z.int(),
      }),
    ),
    secondsBilledMin: z.int().meta({ description: "Shorter videos cost as much as this." }),
    secondsMax: z.int().meta({
      description: "The most seconds a source may have, counted as for its price.",
    }),
    framesPerSecondBilled: z.int().meta({
      description:
        "Of a video with more frames a second, the frames divided by this count as its seconds.",
    }),
    sizeBytesMax: z.int(),
    ageMaxSeconds: z
      .number()
      .meta({ description: "A task that reaches this age fails and is not charged." }),
  })
  .meta({ id: "Upscaler" });
export type UpscalerEntry = z.output<typeof upscalerEntry>;

export const modelsAnswer = z.object({
  models: z.array(modelEntry),
  upscaler: upscalerEntry,
  prices: z
    .object({
      priceVersion: quotedVersion,
      discount: z
        .object({
          basisPoints: z.int().meta({ description: "Hundredths of a per cent." }),
          until: z.int().meta({ description: "Epoch milliseconds: its end." }),
        })
        .nullable()
        .meta({ description: "Taken off the sum of every task; null: none." }),
      change: z
        .object({
          priceVersion: z.string(),
          validFrom: z.int().meta({ description: "Epoch milliseconds." }),
          rates: z
            .array(
              z.object({
                model: z.string().meta({ description: "`upscale` is the upscaler." }),
                rate: z.string().meta({ description: "The rate key, such as `720p.withVideo`." }),
                before: z
                  .int()
                  .nullable()
                  .meta({ description: "Credits; null: it was not for sale." }),
                after: z
                  .int()
                  .nullable()
                  .meta({ description: "Credits; null: no longer for sale." }),
              }),
            )
            .meta({ description: "What changes." }),
        })
        .nullable()
        .meta({ description: "The next version and when it begins; null: none is published." }),
    })
    .meta({ description: "What the account pays by." }),
});
export type ModelsAnswer = z.output<typeof modelsAnswer>;
