/**
 * The values of a label: listed here, or named while the process runs, at most `valuesMax` of them.
 * Any other value is recorded as `other`, so no label grows without bound.
 */
export type Label = readonly string[] | { readonly valuesMax: number };
export type Labels = Readonly<Record<string, Label>>;

export type LabelValues<Of extends Labels> = {
  readonly [Name in keyof Of]: Of[Name] extends readonly (infer Value)[] ? Value : string;
};

export type Unit = "seconds" | "bytes";

interface Described<Of extends Labels> {
  /** The name without the unit and without `_total`: both are added. */
  readonly name: string;
  readonly help: string;
  readonly unit: Unit | null;
  readonly labels: Of;
}

export interface CounterMetric<Of extends Labels = Labels> extends Described<Of> {
  readonly kind: "counter";
}

/** Read when somebody scrapes. */
export interface GaugeMetric<Of extends Labels = Labels> extends Described<Of> {
  readonly kind: "gauge";
}

export interface HistogramMetric<Of extends Labels = Labels> extends Described<Of> {
  readonly kind: "histogram";
  /** The upper bounds of the buckets; one without a bound follows. */
  readonly bounds: readonly number[];
}

export type Metric = CounterMetric | GaugeMetric | HistogramMetric;

export function counter<const Of extends Labels>(
  name: string,
  help: string,
  labels: Of,
  unit: Unit | null = null,
): CounterMetric<Of> {
  return { kind: "counter", name, help, unit, labels };
}

export function gauge<const Of extends Labels>(
  name: string,
  help: string,
  labels: Of,
  unit: Unit | null = null,
): GaugeMetric<Of> {
  return { kind: "gauge", name, help, unit, labels };
}

/** Defines a histogram of durations. */
export function histogram<const Of extends Labels>(
  name: string,
  help: string,
  labels: Of,
  bounds: readonly number[],
): HistogramMetric<Of> {
  return { kind: "histogram", name, help, unit: "seconds", labels, bounds };
}

/** The value that replaces one outside a label's bounds. */
export const otherValue = "other";

/** The name of the metric family, as in the exposition. */
export function familyOf({ name, unit }: Metric): string {
  return unit === null ? `zoetrope_${name}` : `zoetrope_${name}_${unit}`;
}

/** Returns the number of values that a label can have. */
export function valuesMaxOf(label: Label): number {
  return ("valuesMax" in label ? label.valuesMax : label.length) + 1;
}
