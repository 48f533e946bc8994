import assert from "node:assert";
import type { z } from "zod";
import type { FileInput, FileRules } from "./file-rules.ts";
import type { ImagePrices, SecondPrices } from "./prices.ts";
import type { ModelRequest, OutputResolution } from "./request.ts";

/** The announcement that a model or a parameter goes away, at least six months ahead. */
export interface Deprecation {
  /** When it was announced and when it goes, such as 2027-01-31. */
  since: string;
  sunset: string;
  /** Where to read what to use instead. */
  link: string;
}

/** A model of the catalogue: what it takes, what its files must be and what it costs. */
export type Model = VideoModel | ImageModel;

interface CommonModel {
  /** What callers write, and what its requests have in `model`. */
  name: string;
  summary: string;
  modes: readonly Mode[];
  /** Takes only assets that passed a review; otherwise any that is stored and was not refused. */
  needsReview: boolean;
  /** Only of a model that goes away. */
  deprecation?: Deprecation;
  /** Which mode these inputs ask for. Throws `invalid_parameters` when they fit none. */
  modeOf(inputs: Readonly<Record<string, unknown>>): Mode;
}

export interface VideoModel extends CommonModel {
  kind: "video";
  prices: SecondPrices;
  /** Short sides in pixels by ratio, where the vendor publishes them: what they reach is not upscaled. */
  shortSidesRendered?: Readonly<Record<OutputResolution, Readonly<Record<string, number>>>>;
}

export interface ImageModel extends CommonModel {
  kind: "image";
  prices: ImagePrices;
}

/** A mode names every parameter it takes; whatever else comes is refused by its name. */
export interface Mode {
  name: string;
  /** What selects it, for people. */
  when: string;
  inputs: z.ZodObject;
  /** Inputs that are accepted as they stand, but for the assets they name. */
  example: Readonly<Record<string, unknown>>;
  /** What every file must be, for each input that names files. */
  files: Readonly<Partial<Record<FileInput, FileRules>>>;
  read(
    inputs: unknown,
  ): { kind: "planned"; request: ModelRequest } | { kind: "fault"; fault: z.core.$ZodError };
}

export function defineMode<Inputs extends z.ZodObject>(mode: {
  name: string;
  when: string;
  inputs: Inputs;
  example: z.input<Inputs>;
  files: Readonly<Record<Extract<keyof Inputs["shape"], FileInput>, FileRules>>;
  plan: (inputs: z.output<Inputs>) => ModelRequest;
}): Mode {
  const { name, when, inputs, example, files, plan } = mode;
  return {
    name,
    when,
    inputs,
    example,
    files,
    read(given) {
      const parsed = inputs.safeParse(given);
      return parsed.success
        ? { kind: "planned", request: plan(parsed.data) }
        : { kind: "fault", fault: parsed.error };
    },
  };
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

/** What every file of an input must be, in the mode of a request. */
export function fileRulesOf(model: Model, mode: string, input: FileInput): FileRules {
  const rules = model.modes.find(({ name }) => name === mode)?.files[input];
  assert(rules !== undefined, `${model.name} takes no ${input} in ${mode}`);
  return rules;
}
