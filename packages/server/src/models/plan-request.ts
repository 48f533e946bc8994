import { invalid } from "../errors.ts";
import { invalidParameters } from "../invalid-parameters.ts";
import { planSd2, sd2Inputs } from "./sd2.ts";
import type { VideoRequest } from "./video-request.ts";

const models = ["sd2"];

/** Checks what was asked of a model and fills in its defaults. Pure; throws `invalid_parameters`. */
export function planRequest(model: string, inputs: unknown): VideoRequest {
  if (!models.includes(model)) throw invalid("model", `must be one of ${models.join(", ")}`);
  const parsed = sd2Inputs.safeParse(inputs);
  if (!parsed.success)
    throw invalidParameters(parsed.error, "inputs", Object.keys(sd2Inputs.shape));
  return planSd2(parsed.data);
}
