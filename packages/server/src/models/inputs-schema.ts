import assert from "node:assert";
import { z } from "zod";
import type { Language } from "../errors.ts";
import {
  bytesPerMegabyte,
  type FileInput,
  type FileRules,
  fetchedMegabytesMax,
  fileInputs,
  mediaTypes,
} from "./file-rules.ts";
import { type Sources, sourceRules, sourcesKeyword } from "./inputs.ts";
import type { Mode, Model } from "./model.ts";
import { type ChoiceInput, refusedCombinations } from "./refused-combinations.ts";

type Schema = z.core.JSONSchema.JSONSchema;

/** One JSON Schema for the model: any of its modes, each titled with its name. */
export function inputsSchemaOf(model: Model, language: Language): Record<string, unknown> {
  const anyOf = model.modes.map((mode) => modeSchemaOf(model, mode, language));
  return { $schema: "https://json-schema.org/draft/2020-12/schema", anyOf };
}

const described = { en: new WeakMap<Mode, Schema>(), zh: new WeakMap<Mode, Schema>() };

/**
 * Returns the schema of a mode's inputs, with everything that a form needs. docs/forms.md lists the `x-`
 * keywords.
 */
export function modeSchemaOf(model: Model, mode: Mode, language: Language): Schema {
  const known = described[language].get(mode) ?? describeMode(model, mode, language);
  described[language].set(mode, known);
  return known;
}

function describeMode(model: Model, mode: Mode, language: Language): Schema {
  const { $schema: _, properties = {}, ...schema } = z.toJSONSchema(mode.inputs, { io: "input" });
  const inputs = Object.entries(properties).map(([name, property]) => {
    assert(typeof property === "object");
    const isRequired = schema.required?.includes(name) ?? false;
    return [name, describeInput(model, mode, { name, property, isRequired }, language)];
  });
  const { requiresAny, filesMax } = mode.together;
  const refused = refusedCombinations(
    model,
    mode,
    resolutionsOf(mode, properties, schema.required),
  );
  return {
    title: mode.name,
    description: { en: `When: ${mode.when.en}.`, zh: `条件：${mode.when.zh}。` }[language],
    "x-title": mode.text.title[language],
    "x-description": mode.text.description[language],
    ...schema,
    properties: Object.fromEntries(inputs),
    ...(requiresAny && { "x-requires-any": requiresAny }),
    ...(filesMax && { "x-files-max": filesMax }),
    ...(refused.length > 0 && { "x-refused": refused }),
  };
}

/** The choices that rules join: how large the video is rendered and upscaled, and its shape. */
function resolutionsOf(
  { fields }: Mode,
  properties: Readonly<Record<string, Schema | boolean>>,
  required: readonly string[] = [],
): ChoiceInput[] {
  if (properties["upscaleResolution"] === undefined) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    const control = fields[name]?.control;
    if (control !== "resolution" && control !== "ratio") return [];
    assert(typeof property === "object" && property.enum !== undefined);
    return [{ name, values: property.enum.map(String), isRequired: required.includes(name) }];
  });
}

interface Input {
  name: string;
  property: Schema;
  isRequired: boolean;
}

function describeInput(model: Model, mode: Mode, input: Input, language: Language): Schema {
  const { [sourcesKeyword]: _, ...property } = input.property;
  const field = mode.fields[input.name];
  assert(field !== undefined);
  const { labels, unitsMax } = field;
  return {
    ...property,
    title: field.title[language],
    description: field.description[language],
    ...(field.help && { "x-help": field.help[language] }),
    "x-control": field.control,
    "x-order": field.order,
    "x-advanced": field.isAdvanced ?? false,
    ...(labels && {
      "x-labels": Object.fromEntries(
        (property.enum ?? []).map((value) => [value, labels[String(value)]?.[language] ?? value]),
      ),
    }),
    ...(unitsMax && { "x-units-max": unitsMax }),
    ...(isFileInput(input.name) && describeFiles(model, mode, input.name, input, language)),
  };
}

function isFileInput(name: string): name is FileInput {
  return Object.hasOwn(fileInputs, name);
}

function describeFiles(
  { needsReview }: Model,
  mode: Mode,
  name: FileInput,
  { property, isRequired }: Input,
  language: Language,
): Schema {
  const rules = mode.files[name];
  assert(rules !== undefined && typeof property.items === "object");
  const { schemes, description } = sourceRules[property[sourcesKeyword] as Sources];
  const fileTitles = mode.fields[name]?.fileTitles;
  return {
    items: { ...property.items, description: description[language] },
    "x-media": {
      type: fileInputs[name].toLowerCase(),
      countMin: isRequired ? property.minItems : 0,
      countMax: property.maxItems,
      sources: schemes,
      ...limitsOf(name, rules),
      ...(schemes.includes("https") && {
        fetchedBytesMax: (rules.sizeMegabytesMax ?? fetchedMegabytesMax) * bytesPerMegabyte,
      }),
      needsReview,
      ...(fileTitles && { titles: fileTitles.map((title) => title[language]) }),
    },
  };
}

/** The rules in a form's units: bytes, media types, and a ratio as one number. */
function limitsOf(name: FileInput, rules: FileRules): Schema {
  const { sizeMegabytesMax, formats, ratioMax, ...others } = rules;
  const known: Readonly<Record<string, string>> = mediaTypes[fileInputs[name]];
  return {
    mediaTypes: (formats ?? Object.keys(known)).map((format) => known[format]),
    ...(sizeMegabytesMax && { sizeBytesMax: sizeMegabytesMax * bytesPerMegabyte }),
    ...(ratioMax && { ratioMax: ratioMax[0] / ratioMax[1] }),
    ...others,
  };
}
