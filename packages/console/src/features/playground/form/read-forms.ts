/** The files that an input takes. */
export interface Media {
  type: "image" | "video" | "audio";
  countMin: number;
  countMax: number;
  sources: readonly string[];
  mediaTypes: readonly string[];
  needsReview: boolean;
  sizeBytesMax?: number;
  fetchedBytesMax?: number;
  shortSidePixelsMin?: number;
  longSidePixelsMax?: number;
  ratioMax?: number;
  durationSecondsMax?: number;
  /** The titles by position, such as first and last frame. */
  titles?: readonly string[];
}

interface Option {
  value: string;
  label: string;
}

const controls = [
  ...(["prompt", "files", "seconds", "ratio", "resolution", "choice"] as const),
  ...(["toggle", "seed", "fixed", "unused"] as const),
];
type Control = (typeof controls)[number] | "text";

export interface FormField {
  name: string;
  control: Control;
  title: string;
  description: string;
  isAdvanced: boolean;
  isRequired: boolean;
  /** null: none, and the input is left out. */
  default: string | boolean | null;
  options: readonly Option[];
  range: { min: number; max: number; step: number };
  media: Media | null;
  /** The value of a `fixed` control. */
  constant: unknown;
  unitsMax: number | null;
}

/** One mode of a model is one form. */
export interface Form {
  mode: string;
  title: string;
  description: string;
  fields: readonly FormField[];
  requiresAny: readonly string[];
  filesMax: number;
  /** Combinations of values that are refused whatever else is chosen. */
  refused: readonly Readonly<Record<string, string>>[];
}

interface FieldSchema {
  title?: string;
  description?: string;
  default?: unknown;
  enum?: readonly unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  "x-help"?: string;
  "x-control"?: string;
  "x-order"?: number;
  "x-advanced"?: boolean;
  "x-labels"?: Readonly<Record<string, string>>;
  "x-range"?: { min: number; max: number; step: number };
  "x-media"?: Media;
  "x-units-max"?: number;
}

interface ModeSchema {
  title?: string;
  properties?: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
  "x-title"?: string;
  "x-description"?: string;
  "x-requires-any"?: readonly string[];
  "x-files-max"?: number;
  "x-refused"?: readonly Readonly<Record<string, string>>[];
}

/** The forms of a model, made of its published JSON Schema alone: no model and no input is known by name. */
export function readForms(schema: Readonly<Record<string, unknown>>): Form[] {
  const modes = (schema["anyOf"] ?? [schema]) as readonly ModeSchema[];
  return modes.map((mode) => ({
    mode: mode.title ?? "",
    title: mode["x-title"] ?? mode.title ?? "",
    description: mode["x-description"] ?? "",
    fields: Object.entries(mode.properties ?? {})
      .toSorted(([, one], [, other]) => (one["x-order"] ?? 0) - (other["x-order"] ?? 0))
      .map(([name, field]) => readField(name, field, mode.required?.includes(name) === true))
      .filter(({ control }) => control !== "unused"),
    requiresAny: mode["x-requires-any"] ?? [],
    filesMax: mode["x-files-max"] ?? Number.POSITIVE_INFINITY,
    refused: mode["x-refused"] ?? [],
  }));
}

function readField(name: string, schema: FieldSchema, isRequired: boolean): FormField {
  const control = controls.find((known) => known === schema["x-control"]);
  const { default: given, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  const isPlain = typeof given === "boolean" || typeof given === "string";
  return {
    name,
    isRequired,
    control: control ?? (isRequired ? "text" : "unused"),
    title: schema.title ?? name,
    description: schema["x-help"] ?? schema.description ?? "",
    isAdvanced: schema["x-advanced"] === true && !isRequired,
    default: isPlain ? normalise(control, given) : null,
    options: (schema.enum ?? []).map((value) => ({
      value: String(value),
      label: schema["x-labels"]?.[String(value)] ?? String(value),
    })),
    range: schema["x-range"] ?? { min: minimum, max: maximum, step: 1 },
    media: schema["x-media"] ?? null,
    constant: schema.const,
    unitsMax: schema["x-units-max"] ?? null,
  };
}

/** A number of seconds may end with an `s`; the form has the number alone. */
function normalise(control: Control | undefined, given: string | boolean): string | boolean {
  return control === "seconds" && typeof given === "string" ? given.replace(/s$/, "") : given;
}
