import type { Model } from "@zoetrope/sdk";
import { cleanText } from "../terminal/clean-text.ts";

export type MediaType = "image" | "video" | "audio";

/** An input of a model, over all its modes. */
export interface Field {
  name: string;
  /** The flag's name without the dashes: `outputResolution` is `output-resolution`. */
  flag: string;
  kind: "text" | "integer" | "number" | "toggle" | "list";
  /** The media type of its files, if it takes files. */
  media: MediaType | null;
  choices: string[] | null;
  description: string;
  default: string | null;
  order: number;
}

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  description?: string;
  "x-order"?: number;
  "x-range"?: { min: number; max: number };
  "x-media"?: { type: MediaType };
}

/** The fields of a model in the order of its forms. One that modes describe differently is taken as the first does. */
export function fieldsOf(model: Model): Field[] {
  const modes = (model.inputs["anyOf"] ?? [model.inputs]) as {
    properties?: Record<string, Schema>;
  }[];
  const fields = new Map<string, Field>();
  for (const { properties = {} } of modes)
    for (const [name, schema] of Object.entries(properties)) {
      if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) continue; // not a flag
      const known = fields.get(name);
      const field = readField(name, schema);
      if (known === undefined) fields.set(name, field);
      else known.choices = bothChoices(known.choices, field.choices);
    }
  return [...fields.values()].sort((one, other) => one.order - other.order);
}

function readField(name: string, schema: Schema): Field {
  const given = schema.default;
  return {
    name,
    flag: toFlag(name),
    kind: kindOf(schema),
    media: schema["x-media"]?.type ?? null,
    choices: choicesOf(schema)?.map(cleanText) ?? null,
    description: cleanText(describe(schema)),
    default: given === undefined ? null : cleanText(String(given)),
    order: schema["x-order"] ?? 1000,
  };
}

function toFlag(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function kindOf({ type }: Schema): Field["kind"] {
  if (type === "integer" || type === "number") return type;
  if (type === "boolean") return "toggle";
  return type === "array" ? "list" : "text";
}

function choicesOf({ enum: values, const: value }: Schema): string[] | null {
  if (value !== undefined) return [String(value)];
  return values === undefined ? null : values.map(String);
}

/** A mode without a choice of values lets any through: the service checks them. */
function bothChoices(one: string[] | null, other: string[] | null): string[] | null {
  return one === null || other === null ? null : [...new Set([...one, ...other])];
}

function describe({ description = "", "x-range": range }: Schema): string {
  return range === undefined ? description : `${description} ${range.min} to ${range.max}.`.trim();
}
