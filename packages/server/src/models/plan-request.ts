import { type ApiError, invalid } from "../errors.ts";
import { invalidParameters, unrecognizedKey } from "../http/invalid-parameters.ts";
import { fileInputs } from "./file-rules.ts";
import { type Mode, type Model, parametersOf } from "./model.ts";
import type { ModelRequest } from "./request.ts";
import { requireUpscale } from "./upscale.ts";

/** The model of that name. Throws `invalid_parameters` that names those that there are. */
export function requireModel(models: readonly Model[], modelName: string): Model {
  const model = models.find(({ name }) => name === modelName);
  if (model !== undefined) return model;
  throw invalid("model", `must be one of ${models.map(({ name }) => name).join(", ")}`);
}

/** Checks what was asked of a model and fills in its defaults. Pure; throws `invalid_parameters`. */
export function planRequest(model: Model, inputs: object): ModelRequest {
  const filled = withoutEmptyForms(model, inputs);
  const mode = model.modeOf(filled);
  const read = mode.read(filled);
  if (read.kind === "planned") {
    requireUpscale(model, read.request, null);
    return read.request;
  }
  const stranger = unrecognizedKey(read.fault);
  throw stranger === undefined
    ? invalidParameters(read.fault, "inputs")
    : notAccepted(model, mode, stranger);
}

/** Null, an empty list, a prompt of white space and an empty seed mean the same as leaving them out. */
function withoutEmptyForms(model: Model, inputs: object): Record<string, unknown> {
  const known = parametersOf(model);
  const isEmpty = (name: string, value: unknown) =>
    value === undefined ||
    value === null ||
    (Object.hasOwn(fileInputs, name) && Array.isArray(value) && value.length === 0) ||
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
      ? `${model.name} has no such parameter; it accepts ${[...parametersOf(model)].join(", ")}`
      : `is not accepted in ${mode.name}, only in ${elsewhere.map((other) => `${other.name} (${other.when.en})`).join(" and ")}`,
  );
}
