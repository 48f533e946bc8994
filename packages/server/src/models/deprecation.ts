import { z } from "zod";
import type { Deprecation, Model } from "./model.ts";

const metaName = "x-deprecation";

/** A parameter that goes away: `seed: deprecated(seed(-1), { … })`. */
export function deprecated<Schema extends z.ZodType>(
  schema: Schema,
  deprecation: Deprecation,
): Schema {
  return schema.meta({ ...schema.meta(), deprecated: true, [metaName]: deprecation });
}

/** What of this request goes away: the model, and the parameters that it names. */
export function deprecationsOf(
  models: readonly Model[],
  modelName: string,
  inputs: Readonly<Record<string, unknown>>,
): Deprecation[] {
  const model = models.find(({ name }) => name === modelName);
  if (model === undefined) return [];
  const named = new Map<string, Deprecation>();
  for (const { inputs: schema } of model.modes)
    for (const [name, member] of Object.entries(schema.shape)) {
      const found = z.globalRegistry.get(member)?.[metaName];
      if (found !== undefined && inputs[name] != null) named.set(name, found as Deprecation);
    }
  return [...(model.deprecation === undefined ? [] : [model.deprecation]), ...named.values()];
}

/** RFC 9745 and RFC 8594, of the one that was announced first and the one that goes first. */
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
