import { z } from "zod";

/** Bodies and answers by the interface's own names. What a model accepts inside `inputs` is in models/. */
const urlCharactersMax = 4_096;
const maxCreditsRule = "must be a whole number of credits, 0 or more";

export const createTaskBody = z.strictObject({
  model: z
    .string({ error: "is required: the name of a model" })
    .meta({ description: "Selects the model." }),
  inputs: z
    .custom<Record<string, unknown>>(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
      { error: "is required: an object" },
    )
    .meta({ description: "What the model is asked for." }),
  callBackUrl: z
    .string({ error: "must be a URL" })
    .max(urlCharactersMax, { error: `must be at most ${urlCharactersMax} characters` })
    .nullish()
    .meta({ description: "Called once the task is COMPLETED or FAILED. Public http or https." }),
  maxCredits: z
    .int({ error: maxCreditsRule })
    .min(0, { error: maxCreditsRule })
    .nullish()
    .meta({ description: "Refuse the task with 402 rather than hold more than this." }),
});
export type CreateTaskBody = z.output<typeof createTaskBody>;

export const createTaskAnswer = z.object({ taskId: z.string() });

const notes = z
  .array(z.object({ param: z.string(), message: z.string() }))
  .optional()
  .meta({
    description: "Where the task differs from what was asked for; left out when it does not.",
  });

export const quoteAnswer = z.object({
  credits: z.int().meta({
    description:
      "What createTask would hold, and charge on success; an upscale that is not made is not charged.",
  }),
  items: z
    .array(
      z.object({
        item: z.enum(["output", "inputVideo", "upscale", "image"]),
        description: z.string(),
        unit: z.enum(["second", "image"]),
        quantity: z.number(),
        creditsPerUnit: z.int(),
        credits: z.int(),
      }),
    )
    .meta({ description: "What the price is made of; their credits add up to it." }),
  notes,
});

export const queryTaskQuery = z.object({
  taskId: z
    .string({ error: "is required: the id that createTask answered" })
    .min(1, { error: "is required: the id that createTask answered" })
    .meta({ description: "The id that createTask answered." }),
});

export const deleteMediaAnswer = z.object({
  deleted: z.int().meta({ description: "Files that were removed; their links are dead." }),
});

export const generationTask = z
  .object({
    taskId: z.string(),
    model: z.string(),
    status: z.enum(["PENDING", "PROCESSING", "COMPLETED", "FAILED"]),
    creditsUsed: z.int().meta({ description: "The price; 0 once a failure has given it back." }),
    output: z
      .array(
        z.object({
          url: z.string(),
          width: z.int(),
          height: z.int(),
          expiresAt: z.int().nullable().meta({
            description: "Until then the link works, unless you delete the media before.",
          }),
        }),
      )
      .nullable()
      .meta({ description: "null unless COMPLETED." }),
    error: z.string().nullable().meta({ description: "What went wrong, for people." }),
    errorCode: z.string().nullable().meta({ description: "The same, from the error catalogue." }),
    notes,
    createTime: z.int().meta({ description: "Epoch milliseconds." }),
    completeTime: z.int().nullable().meta({ description: "null until COMPLETED or FAILED." }),
  })
  .meta({ id: "GenerationTask" });
export type GenerationTask = z.output<typeof generationTask>;

const schedule = z.enum(["A", "B"]);

const modelEntry = z
  .object({
    model: z.string(),
    kind: z.enum(["video", "image"]),
    summary: z.string(),
    deprecation: z
      .object({
        since: z.string().meta({ description: "When it was announced, as a date." }),
        sunset: z.string().meta({ description: "When the model goes, as a date." }),
        link: z.string().meta({ description: "What to use instead." }),
      })
      .nullable()
      .meta({ description: "null unless the model goes away." }),
    modes: z.array(
      z.object({
        mode: z.string(),
        when: z.string().meta({ description: "What selects this mode." }),
      }),
    ),
    inputs: z
      .record(z.string(), z.unknown())
      .meta({ description: "JSON Schema of `inputs`: any of the modes, titled by name." }),
    prices: z.union([
      z.object({
        schedule,
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
        schedule,
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
    ageMaxSeconds: z.number().meta({ description: "At this age a task fails and costs nothing." }),
  })
  .meta({ id: "Model" });
export type ModelEntry = z.output<typeof modelEntry>;

const upscalerEntry = z
  .object({
    schedule,
    formula: z.string(),
    targets: z.array(
      z.object({
        targetResolution: z.string(),
        shortSide: z.int().meta({ description: "Of the result, in pixels." }),
        creditsPerSecond: z.int(),
      }),
    ),
    secondsMax: z.int(),
    sizeBytesMax: z.int(),
    ageMaxSeconds: z.number().meta({ description: "At this age a task fails and costs nothing." }),
  })
  .meta({ id: "Upscaler" });
export type UpscalerEntry = z.output<typeof upscalerEntry>;

export const modelsAnswer = z.object({ models: z.array(modelEntry), upscaler: upscalerEntry });
export type ModelsAnswer = z.output<typeof modelsAnswer>;
