import { ApiError } from "../errors.ts";
import type { Switches } from "./watch-switches.ts";

/** Refuses a model that an operator switched off, for requests that would cost credits. */
export function requireModelOn(switches: Switches, model: string): void {
  const off = switches.current().modelsOff.get(model);
  if (off === undefined) return;
  const why = off.message === null ? "" : ` ${off.message}`;
  throw new ApiError("model_switched_off", {
    message: {
      en: `The model ${model} is switched off at the moment.${why} GET /api/v1/models lists the models that are available.`,
      zh: `模型 ${model} 目前已关闭。${off.message ?? ""}GET /api/v1/models 会列出可用的模型。`,
    },
  });
}
