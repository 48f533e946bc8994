import { happyhorse } from "./happyhorse.ts";
import { imagePlus2, imagePro2 } from "./images.ts";
import type { Model } from "./model.ts";
import { sd2, sd2Fast } from "./sd2.ts";

/** Every model there is, in the order it is shown. */
export const models: readonly Model[] = [sd2, sd2Fast, happyhorse, imagePro2, imagePlus2];

const parameters = new Map<Model, ReadonlySet<string>>(
  models.map((model) => [
    model,
    new Set(model.modes.flatMap((mode) => Object.keys(mode.inputs.shape))),
  ]),
);

/** Every parameter that a model takes in any of its modes. */
export function parametersOf(model: Model): ReadonlySet<string> {
  return parameters.get(model) ?? new Set();
}
