import type { z } from "zod";
import type { ModelRequest } from "./request.ts";

/** The announcement that a model or a parameter goes away, at least six months ahead. */
export interface Deprecation {
  /** When it was announced and when it goes, such as 2027-01-31. */
  since: string;
  sunset: string;
  /** Where to read what to use instead. */
  link: string;
}

/** A model of the catalogue: its modes say which inputs go together. */
export interface Model {
  name: ModelRequest["model"];
  kind: "video" | "image";
  summary: string;
  modes: readonly Mode[];
  /** Only of a model that goes away. */
  deprecation?: Deprecation;
  /** Which mode these inputs ask for. Throws `invalid_parameters` when they fit none. */
  modeOf(inputs: Readonly<Record<string, unknown>>): Mode;
}

/** A mode names every parameter it takes; whatever else comes is refused by its name. */
export interface Mode {
  name: string;
  /** What selects it, for people. */
  when: string;
  inputs: z.ZodObject;
  /** Inputs that are accepted as they stand, but for the assets they name. */
  example: Readonly<Record<string, unknown>>;
  read(inputs: unknown): { request: ModelRequest } | { fault: z.core.$ZodError };
}

export function defineMode<Inputs extends z.ZodObject>(mode: {
  name: string;
  when: string;
  inputs: Inputs;
  example: z.input<Inputs>;
  plan: (inputs: z.output<Inputs>) => ModelRequest;
}): Mode {
  const { name, when, inputs, example, plan } = mode;
  return {
    name,
    when,
    inputs,
    example,
    read(given) {
      const parsed = inputs.safeParse(given);
      return parsed.success ? { request: plan(parsed.data) } : { fault: parsed.error };
    },
  };
}
