import {
  familyOf,
  type HistogramMetric,
  type Labels,
  type Metric,
} from "@zoetrope/server/metrics/define-metric.ts";

type ValueOf<Label> = Label extends readonly (infer Value extends string)[] ? Value : string;
type Match<Value> = Value | { readonly not: Value } | { readonly in: readonly Value[] };
type Where<Of extends Labels> = { readonly [Name in keyof Of]?: Match<ValueOf<Of[Name]>> };

/** The series of a counter or gauge of the table, in PromQL. A label or value that it cannot have does not compile. */
export function select<Of extends Labels>(
  metric: Metric & { readonly labels: Of },
  where: Where<Of> = {},
  range = "",
): string {
  const name = metric.kind === "counter" ? `${familyOf(metric)}_total` : familyOf(metric);
  return name + matchersOf(where) + range;
}

/** The buckets of a histogram of the table. */
export function selectBuckets<Of extends Labels>(
  metric: HistogramMetric<Of>,
  where: Where<Of> & { readonly le?: string } = {},
  range = "",
): string {
  return `${familyOf(metric)}_bucket${matchersOf(where)}${range}`;
}

/** Returns an expression for the number of times that a histogram of the table recorded something. */
export function selectCount<Of extends Labels>(
  metric: HistogramMetric<Of>,
  where: Where<Of> = {},
  range = "",
): string {
  return `${familyOf(metric)}_count${matchersOf(where)}${range}`;
}

function matchersOf(where: Readonly<Record<string, Match<string> | undefined>>): string {
  const matchers = Object.entries(where).flatMap(([name, match]) => {
    if (match === undefined) return [];
    if (typeof match === "string") return [`${name}="${match}"`];
    return ["not" in match ? `${name}!="${match.not}"` : `${name}=~"${match.in.join("|")}"`];
  });
  return matchers.length === 0 ? "" : `{${matchers.join(",")}}`;
}
