import assert from "node:assert";
import type { z } from "zod";
import type { Text } from "../errors.ts";
import { type Field, type FieldsOf, type SharedInput, sharedFields } from "./fields.ts";
import type { FileInput, FileRules } from "./file-rules.ts";
import type { ModeText } from "./mode-texts.ts";
import type { ModelRequest, OutputResolution } from "./request.ts";

/** The announcement that a model or a parameter will be removed, at least six months ahead. */
export interface Deprecation {
  /** The date of the announcement and the date of the removal, such as 2027-01-31. */
  since: string;
  sunset: string;
  /** The address of a page that names the replacement. */
  link: string;
}

/** A model of the catalogue: what it takes, what its files must be and what it costs. */
export type Model = VideoModel | ImageModel;

interface CommonModel {
  /** The name in requests: the value of `model`. */
  name: string;
  /** The display name, the same in every language. */
  title: string;
  summary: Text;
  modes: readonly Mode[];
  /** Takes only assets that passed a review; otherwise any that is stored and was not refused. */
  needsReview: boolean;
  /** The rates that its price is made of. Where a price book lacks one of them, the model is not for sale. */
  rateKeys: readonly string[];
  /** The deprecation of a model that will be removed. */
  deprecation?: Deprecation;
  /** Returns the mode that these inputs select. Throws `invalid_parameters` when they fit none. */
  modeOf(inputs: Readonly<Record<string, unknown>>): Mode;
}

export interface VideoModel extends CommonModel {
  kind: "video";
  /** Short sides in pixels by ratio, where the vendor publishes them: what they reach is not upscaled. */
  shortSidesRendered?: Readonly<Record<OutputResolution, Readonly<Record<string, number>>>>;
}

export interface ImageModel extends CommonModel {
  kind: "image";
}

/** A mode names every parameter it takes; whatever else comes is refused by its name. */
export interface Mode {
  name: string;
  text: ModeText;
  /** The description of what selects it, for people. */
  when: Text;
  inputs: z.ZodObject;
  /** The form fields of the inputs. */
  fields: Readonly<Record<string, Field>>;
  /** Rules about several inputs at once, so that a form knows them. */
  together: Together;
  /** Inputs that are accepted as they stand, but for the assets they name. */
  example: Readonly<Record<string, unknown>>;
  /** The rules for every file, for each input that names files. */
  files: Readonly<Partial<Record<FileInput, FileRules>>>;
  read(
    inputs: unknown,
  ): { kind: "planned"; request: ModelRequest } | { kind: "fault"; fault: z.core.$ZodError };
}

interface Together {
  /** The inputs of which at least one is needed. */
  requiresAny?: readonly FileInput[];
  /** The maximum number of files in all inputs together. */
  filesMax?: number;
}

export function defineMode<Inputs extends z.ZodObject>(mode: {
  name: string;
  text: ModeText;
  when: Text;
  inputs: Inputs;
  fields: FieldsOf<keyof Inputs["shape"]>;
  together?: Together;
  example: z.input<Inputs>;
  files: Readonly<Record<Extract<keyof Inputs["shape"], FileInput>, FileRules>>;
  plan: (inputs: z.output<Inputs>) => ModelRequest;
}): Mode {
  const { name, text, when, inputs, together = {}, example, files, plan } = mode;
  return {
    name,
    text,
    when,
    inputs,
    fields: fieldsOf(inputs, mode.fields),
    together,
    example,
    files,
    read(overrides) {
      const parsed = inputs.safeParse(overrides);
      return parsed.success
        ? { kind: "planned", request: plan(parsed.data) }
        : { kind: "fault", fault: parsed.error };
    },
  };
}

function fieldsOf(
  { shape }: z.ZodObject,
  overrides: Readonly<Record<string, Partial<Field> | undefined>>,
): Record<string, Field> {
  const shared: Readonly<Record<SharedInput, Field>> = sharedFields;
  return Object.fromEntries(
    Object.keys(shape).map((name) => [
      name,
      // The type of `given` has every input in full that is not shared.
      { ...shared[name as SharedInput], ...overrides[name] },
    ]),
  );
}

const parameters = new WeakMap<Model, ReadonlySet<string>>();

/** Every parameter that a model takes in any of its modes. */
export function parametersOf(model: Model): ReadonlySet<string> {
  const known =
    parameters.get(model) ??
    new Set(model.modes.flatMap(({ inputs }) => Object.keys(inputs.shape)));
  parameters.set(model, known);
  return known;
}

/** The model of a request that was accepted. */
export function modelOf(models: readonly Model[], request: ModelRequest): Model {
  const model = models.find(({ name }) => name === request.model);
  assert(model !== undefined, `the catalogue has no model ${request.model}`);
  return model;
}

/** Returns the rules for every file of an input, in the mode of a request. */
export function fileRulesOf(model: Model, mode: string, input: FileInput): FileRules {
  const rules = model.modes.find(({ name }) => name === mode)?.files[input];
  assert(rules !== undefined, `${model.name} takes no ${input} in ${mode}`);
  return rules;
}
