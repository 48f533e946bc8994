import { z } from "zod";
import type { Deprecation, Model } from "./model.ts";

const metaName = "x-deprecation";

/** Marks a parameter as deprecated: `seed: deprecated(seed(-1), { … })`. */
export function deprecated<Schema extends z.ZodType>(
  schema: Schema,
  deprecation: Deprecation,
): Schema {
  return schema.meta({ ...schema.meta(), deprecated: true, [metaName]: deprecation });
}

/** Returns the deprecations that a request uses: of the model and of the parameters that it names. */
export function deprecationsOf(
  models: readonly Model[],
  modelName: string,
  inputs: Readonly<Record<string, unknown>>,
): Deprecation[] {
  const model = models.find(({ name }) => name === modelName);
  if (model === undefined) return [];
  const named = parametersOf(model).filter(([name]) => inputs[name] != null);
  return [
    ...(model.deprecation === undefined ? [] : [model.deprecation]),
    ...named.map(([, deprecation]) => deprecation),
  ];
}

/** The deprecated parameters of each model, computed once because every create request reads them. */
const parameters = new WeakMap<Model, [name: string, Deprecation][]>();

function parametersOf(model: Model): [name: string, Deprecation][] {
  const known = parameters.get(model);
  if (known !== undefined) return known;
  const found = new Map<string, Deprecation>();
  for (const { inputs } of model.modes)
    for (const [name, member] of Object.entries(inputs.shape)) {
      const deprecation = z.globalRegistry.get(member)?.[metaName];
      if (deprecation !== undefined) found.set(name, deprecation as Deprecation);
    }
  parameters.set(model, [...found]);
  return [...found];
}

/** Returns the headers of RFC 9745 and RFC 8594: the earliest announcement and the earliest removal. */
export function deprecationHeaders(deprecations: readonly Deprecation[]): Record<string, string> {
  const [first] = deprecations.toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since));
  const [next] = deprecations.toSorted((a, b) => Date.parse(a.sunset) - Date.parse(b.sunset));
  if (first === undefined || next === undefined) return {};
  const links = new Set(deprecations.map(({ link }) => link));
  return {
    deprecation: `@${Date.parse(first.since) / 1_000}`,
    sunset: new Date(next.sunset).toUTCString(),
    link: [...links].map((link) => `<${link}>; rel="deprecation"`).join(", "),
  };
}
