import type { Attributes } from "@opentelemetry/api";
import { type Label, type Metric, otherValue } from "./define-metric.ts";

/** The maximum number of series of one metric. */
export const seriesMax = 1_000;
const valueCharsMax = 100;

/**
 * Keeps every label of a metric within its values, and all of them within `seriesMax` combinations:
 * anything else becomes `other`.
 */
export function boundLabels({ labels }: Metric): (attributes: Attributes) => Attributes {
  const names = Object.keys(labels);
  const bounds = Object.values(labels).map(boundValue);
  const series = new Map<string, Attributes>();
  const others = Object.fromEntries(names.map((name) => [name, otherValue]));
  return (attributes) => {
    const values = bounds.map((bound, index) => bound(String(attributes[names[index] ?? ""])));
    const key = values.join("\n");
    const known = series.get(key);
    if (known !== undefined) return known;
    if (series.size >= seriesMax) return others;
    const added = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    series.set(key, added);
    return added;
  };
}

function boundValue(label: Label): (value: string) => string {
  if (!("valuesMax" in label)) {
    const listed = new Set<string>(label);
    return (value) => (listed.has(value) ? value : otherValue);
  }
  const seen = new Set<string>();
  return (value) => {
    if (seen.has(value)) return value;
    if (seen.size >= label.valuesMax || value.length > valueCharsMax) return otherValue;
    seen.add(value);
    return value;
  };
}

/**
 * The series of a metric whose labels are all listed. A counter starts with them at zero: Prometheus
 * sees no increase in a series that begins with its first event.
 */
export function knownSeries({ labels }: Metric): Attributes[] {
  let series: Attributes[] = [{}];
  for (const [name, label] of Object.entries(labels)) {
    if ("valuesMax" in label) return [];
    series = series.flatMap((one) => label.map((value) => ({ ...one, [name]: value })));
  }
  return series;
}
