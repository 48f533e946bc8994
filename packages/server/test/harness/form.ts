import fc from "fast-check";
import { z } from "zod";

/** A form, made of the published JSON Schema alone: it knows no model and no input by name. */
export interface Form {
  mode: string;
  fields: FormField[];
  requiresAny: string[];
  filesMax: number;
  refused: Record<string, string>[];
}

const media = z.looseObject({
  type: z.enum(["image", "video", "audio"]),
  countMin: z.int(),
  countMax: z.int(),
  // Outputs of tasks are tried in outputs-as-inputs.test.ts, where there are tasks.
  sources: z
    .array(z.enum(["http", "https", "asset", "task"]))
    .min(1)
    .transform((sources) => sources.filter((source) => source !== "task")),
  mediaTypes: z.array(z.string()).min(1),
  sizeBytesMax: z.int().optional(),
  fetchedBytesMax: z.int().optional(),
  shortSidePixelsMin: z.int().optional(),
  longSidePixelsMax: z.int().optional(),
  ratioMax: z.number().optional(),
  durationSecondsMax: z.int().optional(),
  videoCodecs: z.array(z.string()).optional(),
  needsReview: z.boolean(),
  titles: z.array(z.string()).optional(),
});
export type Media = z.output<typeof media>;

const values = z.array(z.string()).min(1);
const common = { title: z.string(), description: z.string(), "x-order": z.int() };
const shown = { ...common, "x-advanced": z.boolean() };
const range = z.strictObject({ min: z.int(), max: z.int(), step: z.int() });
/** One row per control: what its input has besides the texts. */
const input = z.discriminatedUnion("x-control", [
  z.object({ ...shown, "x-control": z.literal("prompt"), type: z.literal("string") }),
  z.object({
    ...shown,
    "x-control": z.literal("files"),
    type: z.literal("array"),
    "x-media": media,
  }),
  z.object({
    ...shown,
    "x-control": z.literal("seconds"),
    type: z.literal("string"),
    "x-range": range,
  }),
  ...(["ratio", "resolution", "choice"] as const).map((control) =>
    z.object({ ...shown, "x-control": z.literal(control), enum: values }),
  ),
  z.object({ ...shown, "x-control": z.literal("toggle"), type: z.literal("boolean") }),
  z.object({
    ...shown,
    "x-control": z.literal("seed"),
    type: z.literal("integer"),
    minimum: z.int(),
    maximum: z.int(),
  }),
  z.object({ ...shown, "x-control": z.literal("fixed"), const: z.string() }),
  z.object({ ...shown, "x-control": z.literal("unused") }),
]);
export type FormField = z.output<typeof input> & { name: string; isRequired: boolean };

const mode = z.object({
  title: z.string(),
  "x-title": z.string(),
  "x-description": z.string(),
  properties: z.record(z.string(), input),
  required: z.array(z.string()).default([]),
  "x-requires-any": z.array(z.string()).default([]),
  "x-files-max": z.int().default(Number.POSITIVE_INFINITY),
  "x-refused": z.array(z.record(z.string(), z.string())).default([]),
});
const inputs = z.object({ anyOf: z.array(mode).min(1) });

/** One form for each mode of a model, its fields in the order in which they are shown. */
export function formsOf(schema: unknown): Form[] {
  return inputs.parse(schema).anyOf.map((one) => ({
    mode: one.title,
    fields: Object.entries(one.properties)
      .map(([name, field]) => ({ ...field, name, isRequired: one.required.includes(name) }))
      .toSorted((first, second) => first["x-order"] - second["x-order"]),
    requiresAny: one["x-requires-any"],
    filesMax: one["x-files-max"],
    refused: one["x-refused"],
  }));
}

export type Filled = Record<string, unknown>;

/** Every way to fill a form in, but for combinations that it says are refused. */
export function filledIn(form: Form, fileOf = anyFile): fc.Arbitrary<Filled> {
  const fields = form.fields.filter((field) => field["x-control"] !== "unused");
  const always = (field: FormField) => field.isRequired || field["x-control"] === "fixed";
  return fc
    .record(Object.fromEntries(fields.map((field) => [field.name, goodValueOf(field, fileOf)])), {
      requiredKeys: fields.filter(always).map(({ name }) => name),
    })
    .filter(
      (filled) =>
        (form.requiresAny.length === 0 || form.requiresAny.some((name) => name in filled)) &&
        filesOf(filled).length <= form.filesMax,
    );
}

export function isRefused({ refused }: Form, filled: Filled): boolean {
  return refused.some((choices) =>
    Object.entries(choices).every(([name, value]) => filled[name] === value),
  );
}

function filesOf(filled: Filled): unknown[] {
  return Object.values(filled).filter(Array.isArray).flat();
}

const anyFile = (source: Media["sources"][number], { type }: Media) =>
  source === "asset"
    ? `asset://asset-20260101000000-${type}`
    : `${source}://example.com/${type}.${type === "image" ? "png" : "mp3"}`;

function goodValueOf(field: FormField, fileOf: typeof anyFile): fc.Arbitrary<unknown> {
  switch (field["x-control"]) {
    case "prompt":
      return fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.trim() !== "");
    case "files": {
      const { "x-media": files } = field;
      const file = fc.constantFrom(...files.sources).map((source) => fileOf(source, files));
      return fc.array(file, { minLength: Math.max(files.countMin, 1), maxLength: files.countMax });
    }
    case "seconds": {
      const { min, max, step } = field["x-range"];
      return fc.integer({ min: 0, max: (max - min) / step }).map((n) => `${min + n * step}`);
    }
    case "ratio":
    case "resolution":
    case "choice":
      return fc.constantFrom(...field.enum);
    case "toggle":
      return fc.boolean();
    case "seed":
      return fc.integer({ min: field.minimum, max: field.maximum });
    case "fixed":
      return fc.constant(field.const);
    case "unused":
      throw new Error(`${field.name} is not shown`);
  }
}

/** Values that the field says are not accepted. */
export function wrongValueOf(field: FormField): fc.Arbitrary<unknown> {
  switch (field["x-control"]) {
    case "prompt":
      return fc.constantFrom(7, ["text"], { text: "text" }, true);
    case "files":
      return fc.oneof(wrongCountOf(field["x-media"]), wrongSourceOf(field["x-media"]));
    case "seconds": {
      const { min, max } = field["x-range"];
      const whole = fc.integer().filter((n) => n < min || n > max);
      return fc.oneof(
        whole.map(String),
        fc.constantFrom(`${min - 1}`, `${max + 1}s`, `${min}.5`, "", "a", min + 0.5, max + 1),
      );
    }
    case "ratio":
    case "resolution":
    case "choice":
      return fc.string().filter((text) => !field.enum.includes(text));
    case "toggle":
      return fc.constantFrom<unknown>("true", 1, "");
    case "seed":
      return fc.constantFrom<unknown>(field.minimum - 1, field.maximum + 1, 0.5, "7");
    case "fixed":
      return fc.string().filter((text) => text !== field.const);
    case "unused":
      throw new Error(`${field.name} is not shown`);
  }
}

function wrongCountOf(files: Media): fc.Arbitrary<string[]> {
  const { countMax, sources } = files;
  const file = fc.constantFrom(...sources).map((source) => anyFile(source, files));
  return fc.array(file, { minLength: countMax + 1, maxLength: countMax + 3 });
}

function wrongSourceOf(files: Media): fc.Arbitrary<string[]> {
  const others = (["http", "https"] as const).filter((scheme) => !files.sources.includes(scheme));
  const wrong = [...others.map((scheme) => anyFile(scheme, files)), "ftp://example.com/a", "a.png"];
  const good = (files.sources[0] && anyFile(files.sources[0], files)) ?? "";
  return fc
    .constantFrom(...wrong)
    .map((file) => [...Array.from({ length: Math.max(files.countMin - 1, 0) }, () => good), file]);
}
