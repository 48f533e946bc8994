import { z } from "zod";

/** Bodies and answers by the interface's own names. What a model accepts inside `inputs` is in models/. */
export const createTaskBody = z.strictObject({
  model: z.string({ error: "is required: the name of a model" }),
  inputs: z.record(z.string(), z.unknown(), { error: "is required: an object" }),
  callBackUrl: z.string({ error: "must be a URL" }).nullish(),
});
export type CreateTaskBody = z.output<typeof createTaskBody>;

export const createTaskAnswer = z.object({ taskId: z.string() });

export const queryTaskQuery = z.object({
  taskId: z.string({ error: "is required: the id that createTask answered" }).min(1, {
    error: "is required: the id that createTask answered",
  }),
});

export const generationTask = z.object({
  taskId: z.string(),
  model: z.string(),
  status: z.enum(["PENDING", "PROCESSING", "COMPLETED", "FAILED"]),
  creditsUsed: z.int(),
  output: z.array(z.object({ url: z.string(), width: z.int(), height: z.int() })).nullable(),
  error: z.string().nullable(),
  errorCode: z.string().nullable(),
  createTime: z.int(),
  completeTime: z.int().nullable(),
});
export type GenerationTask = z.output<typeof generationTask>;
