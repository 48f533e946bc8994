import { ApiError } from "../errors.ts";
import type { Switches } from "./watch-switches.ts";

/** For what would cost credits: a model that an operator switched off is refused. */
export function requireModelOn(switches: Switches, model: string): void {
  const off = switches.current().modelsOff.get(model);
  if (off === undefined) return;
  const why = off.message === null ? "" : ` ${off.message}`;
  throw new ApiError("model_switched_off", {
    message: `The model ${model} is switched off at the moment.${why} GET /api/v1/models lists the models that are available.`,
  });
}
