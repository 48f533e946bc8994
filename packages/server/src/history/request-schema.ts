import { z } from "zod";
import { priceItems } from "../models/prices.ts";

export const requestAnswer = z.object({
  taskId: z.string(),
  kind: z.enum(["generation", "upscale"]),
  model: z.string(),
  inputs: z.record(z.string(), z.unknown()).nullable().meta({
    description:
      "The inputs in their normal form, with the defaults filled in; of an upscale `source` and `targetResolution`. Creating a task with them asks for the same. null if they are not known any more.",
  }),
  inputsMissing: z.enum(["purged", "model_removed", "asset_deleted"]).nullable().meta({
    description:
      "Why `inputs` is null: what you wrote was deleted after its retention period, the model is not offered any more, or the source of the upscale was deleted.",
  }),
  callBackUrl: z.string().nullable(),
  maxCredits: z.int().nullable().meta({
    description: "Of an upscale: the limit that its measured price must keep. Otherwise null.",
  }),
  items: priceItems.nullable().meta({
    description: "The items of the price; their credits add up to it. null if they are not known.",
  }),
  createdAt: z.int().meta({ description: "Epoch milliseconds." }),
});
export type RequestAnswer = z.output<typeof requestAnswer>;
