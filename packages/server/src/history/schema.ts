import { z } from "zod";
import { generationTask } from "../generation/schema.ts";
import { cursorMeta, pageLimit, timeRule } from "../http/paging.ts";
import { upscaleTask } from "../upscale/schema.ts";

const idCharactersMax = 100;
const modelCharactersMax = 100;
const promptCharactersMax = 200;
export const tasksPerPageMax = 100;

const promptRule = `must have 1 to ${promptCharactersMax} characters`;
const idsRule = `must be a list of 1 to ${tasksPerPageMax} task ids`;

const kind = z.enum(["generation", "upscale"], { error: "must be generation or upscale" });
const mode = z.enum(["live", "test"], { error: "must be live or test" });
const id = z.string().min(1).max(idCharactersMax);

/** The fields that a list item has in addition to the response of queryTask or upscale/query. */
const listed = {
  mode: mode.meta({ description: "test: created with a test key, and not paid for." }),
  credits: z.int().meta({
    description: "The price: held while the task is open, then charged; 0 once it has failed.",
  }),
  keyId: z.string().nullable().meta({
    description: "The API key that created the task. null: it was created without one.",
  }),
};

const listedGeneration = generationTask
  .extend({ kind: z.literal("generation"), ...listed })
  .meta({ id: "ListedGenerationTask" });
const listedUpscale = upscaleTask
  .extend({ kind: z.literal("upscale"), model: z.string(), ...listed })
  .meta({ id: "ListedUpscaleTask" });
export const listedTask = z.discriminatedUnion("kind", [listedGeneration, listedUpscale]);
export type ListedTask = z.output<typeof listedTask>;

export const listQuery = z.strictObject({
  kind: kind.optional(),
  model: z
    .string()
    .min(1)
    .max(modelCharactersMax)
    .optional()
    .meta({ description: "Only tasks of this model." }),
  status: z
    .enum(["PENDING", "PROCESSING", "COMPLETED", "FAILED"], {
      error: "must be PENDING, PROCESSING, COMPLETED or FAILED",
    })
    .optional()
    .meta({ description: "Also for upscales, whose `validating` is PENDING." }),
  keyId: id.optional().meta({ description: "Only tasks that this API key created." }),
  mode: mode.optional().meta({
    description: "Only tasks of this mode. A key sees the tasks of its own mode.",
  }),
  from: z.iso
    .datetime({ offset: true, error: timeRule })
    .optional()
    .meta({ description: "Only tasks created at this time or later." }),
  to: z.iso
    .datetime({ offset: true, error: timeRule })
    .optional()
    .meta({ description: "Only tasks created before this time." }),
  prompt: z
    .string({ error: promptRule })
    .min(1, { error: promptRule })
    .max(promptCharactersMax, { error: promptRule })
    .optional()
    .meta({
      description: "Only tasks whose prompt contains this text, where the operator enables it.",
    }),
  cursor: id.optional().meta(cursorMeta),
  limit: pageLimit({ usual: 50, max: tasksPerPageMax }, "Maximum number of items per page."),
});
export type ListQuery = z.output<typeof listQuery>;

export const listAnswer = z.object({
  items: z.array(listedTask),
  nextCursor: z.string().nullable().meta({
    description:
      "null on the last page. A page with a filter can have fewer items than `limit`, or none, and still have a nextCursor: the search continues there.",
  }),
});
export type ListAnswer = z.output<typeof listAnswer>;

export const queryBody = z
  .strictObject({
    taskIds: z
      .array(id, { error: idsRule })
      .min(1, { error: idsRule })
      .max(tasksPerPageMax, { error: idsRule })
      .meta({ description: "Ids of generation and upscale tasks." }),
  })
  .meta({
    examples: [
      { taskIds: ["01a1dfbe-2278-74c8-800c-3a603e574d78", "01a1dfbf-03a0-7c55-8004-91e6d2b7f0aa"] },
    ],
  });

export const queryAnswer = z.object({
  tasks: z.array(listedTask).meta({ description: "In the order of `taskIds`, each once." }),
  notFound: z
    .array(z.string())
    .meta({ description: "The ids that are not a task of this account." }),
});
export type QueryAnswer = z.output<typeof queryAnswer>;
