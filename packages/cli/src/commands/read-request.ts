import { text as readText } from "node:stream/consumers";
import type { Model, TaskRequest } from "@zoetrope/sdk";
import { usageError } from "../cli-error.ts";
import { inputsOf } from "../models/model-flags.ts";
import { type Invocation, numberOption, textOption } from "../run.ts";

/** Reads the inputs from the flags and the prompt. A prompt of `-` is read from stdin. */
export async function readInputs(
  model: Model,
  { args: [prompt], options }: Invocation,
): Promise<Record<string, unknown>> {
  const inputs = inputsOf(model, options);
  if (prompt === undefined) return inputs;
  if (inputs["prompt"] !== undefined)
    throw usageError("The prompt is given twice.", "Leave out --prompt, or the text before it.");
  return { ...inputs, prompt: prompt === "-" ? (await readText(process.stdin)).trim() : prompt };
}

/** The service checks what was read from its own schema at run time; the types know today's models only. */
export function toRequest(
  model: string,
  inputs: Record<string, unknown>,
  options: Invocation["options"],
): TaskRequest {
  const callBackUrl = textOption(options, "callbackUrl");
  const maxCredits = numberOption(options, "maxCredits");
  return { model, inputs, callBackUrl, maxCredits } as unknown as TaskRequest;
}
