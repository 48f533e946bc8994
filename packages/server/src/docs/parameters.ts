import type { z } from "zod";
import { ApiError } from "../errors.ts";
import { rangeOf } from "../models/inputs.ts";
import { modeSchemaOf } from "../models/inputs-schema.ts";
import { type Mode, type Model, parametersOf } from "../models/model.ts";
import { planRequest } from "../models/plan-request.ts";

/** The result of one parameter in one mode of a model, found by running the rules themselves. */
export interface Cell {
  parameter: string;
  model: string;
  mode: string;
  accepted: { isRequired: boolean; values: string; preset: string | null } | null;
  /** The response to a wrong value where the parameter is accepted; elsewhere, to a right one. */
  answer: string;
}

/** No parameter of any model takes this. */
const wrongValue = { wrong: true };

/** Every parameter of any model, once. */
export function allParametersOf(models: readonly Model[]): string[] {
  return [...new Set(models.flatMap((model) => [...parametersOf(model)]))];
}

export function describeParameters(models: readonly Model[]): Cell[] {
  return allParametersOf(models).flatMap((parameter) =>
    models.flatMap((model) => model.modes.map((mode) => describe(models, parameter, model, mode))),
  );
}

function describe(models: readonly Model[], parameter: string, model: Model, mode: Mode): Cell {
  const where = { parameter, model: model.name, mode: mode.name };
  const { properties = {}, required = [] } = modeSchemaOf(model, mode, "en");
  const schema = properties[parameter];
  if (typeof schema !== "object") {
    const elsewhere = models
      .toSorted((one) => (one === model ? -1 : 1))
      .flatMap(({ modes }) => modes)
      .find(({ example }) => parameter in example);
    const value = elsewhere?.example[parameter] ?? wrongValue;
    return {
      ...where,
      accepted: null,
      answer: ask(model, { ...mode.example, [parameter]: value }),
    };
  }
  const accepted = {
    isRequired: required.includes(parameter),
    values: valuesOf(schema),
    preset: schema.default === undefined ? null : String(schema.default),
  };
  const answer = ask(model, { ...mode.example, [parameter]: wrongValue });
  return { ...where, accepted, answer };
}

function ask(model: Model, inputs: object): string {
  try {
    return `selects ${planRequest(model, inputs).mode}`;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

function valuesOf(schema: z.core.JSONSchema.JSONSchema): string {
  if (schema.const !== undefined) return String(schema.const);
  if (schema.enum !== undefined) return schema.enum.join(", ");
  if (schema.type === "array") {
    const { minItems: min, maxItems: max } = schema;
    return min === max ? `exactly ${min}` : `${min} to ${max}`;
  }
  if (schema.type === "integer") return `${schema.minimum} to ${schema.maximum}`;
  const range = rangeOf(schema);
  if (range !== undefined)
    return `whole seconds from ${range.min} to ${range.max}, with or without an 's'`;
  return `${schema.description ?? schema.type}`;
}
