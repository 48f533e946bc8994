import type { TaskRequest } from "@zoetrope/sdk";
import { z } from "zod";

export const readOnly = { readOnlyHint: true, openWorldHint: false } as const;
/** Creates, and takes nothing away. A repeated call with the same id is one task. */
export const spends = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
} as const;

export const taskShape = {
  model: z.string().describe("From list_models."),
  inputs: z
    .record(z.string(), z.unknown())
    .describe("As describe_model says. Files are https URLs or asset://ID."),
};

export const maxCredits = z
  .int()
  .min(0)
  .optional()
  .describe(
    "The most it may cost; required unless the key has a budget. Above it the user is asked.",
  );

/** The service checks model and inputs, and names the field that is wrong. */
export function taskRequest(model: string, inputs: Record<string, unknown>): TaskRequest {
  return { model, inputs } as unknown as TaskRequest;
}
