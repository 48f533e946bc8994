import { type ApiError, invalid } from "../errors.ts";
import { invalidParameters, unrecognizedKey } from "../invalid-parameters.ts";
import { models, parametersOf } from "./catalogue.ts";
import type { Mode, Model } from "./model.ts";
import type { ModelRequest } from "./request.ts";

/** Checks what was asked of a model and fills in its defaults. Pure; throws `invalid_parameters`. */
export function planRequest(modelName: string, inputs: object): ModelRequest {
  const model = models.find(({ name }) => name === modelName);
  if (model === undefined)
    throw invalid("model", `must be one of ${models.map(({ name }) => name).join(", ")}`);
  const given = withoutEmptyForms(model, inputs);
  const mode = model.modeOf(given);
  const read = mode.read(given);
  if ("request" in read) return read.request;
  const stranger = unrecognizedKey(read.fault);
  throw stranger === undefined
    ? invalidParameters(read.fault, "inputs")
    : notAccepted(model, mode, stranger);
}

const lists = ["urls", "videoUrls", "audioUrls"];

/** Null, an empty list, a prompt of white space and an empty seed say the same as leaving them out. */
function withoutEmptyForms(model: Model, inputs: object): Record<string, unknown> {
  const known = parametersOf(model);
  const isEmpty = (name: string, value: unknown) =>
    value === undefined ||
    value === null ||
    (lists.includes(name) && Array.isArray(value) && value.length === 0) ||
    (name === "prompt" && typeof value === "string" && value.trim() === "") ||
    (name === "seed" && value === "");
  return Object.fromEntries(
    Object.entries(inputs).filter(([name, value]) => !known.has(name) || !isEmpty(name, value)),
  );
}

function notAccepted(model: Model, mode: Mode, name: string): ApiError {
  const elsewhere = model.modes.filter((other) => Object.hasOwn(other.inputs.shape, name));
  return invalid(
    `inputs.${name}`,
    elsewhere.length === 0
      ? `${model.name} has no such parameter; it takes ${[...parametersOf(model)].join(", ")}`
      : `is not taken in ${mode.name}, only in ${elsewhere.map((other) => `${other.name} (${other.when})`).join(" and ")}`,
  );
}
