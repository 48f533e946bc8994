import { familyOf, type HistogramMetric } from "./define-metric.ts";

interface Exemplar {
  traceId: string;
  value: number;
  atMs: number;
}

type LabelSet = Readonly<Record<string, unknown>>;

/** The newest trace of each bucket of each series; bounded as the series are. */
export interface Exemplars {
  keep(metric: HistogramMetric, labels: LabelSet, seen: Omit<Exemplar, "atMs">): void;
  /** `bucket` counts from the lowest bound. */
  find(family: string, labels: LabelSet, bucket: number): Exemplar | undefined;
}

/** The SDK for JavaScript keeps none. */
export function createExemplars(): Exemplars {
  const newest = new Map<string, Exemplar>();
  const keyOf = (family: string, labels: LabelSet, bucket: number) =>
    JSON.stringify([family, bucket, Object.entries(labels).sort()]);
  return {
    keep(metric, labels, { traceId, value }) {
      const within = metric.bounds.findIndex((bound) => value <= bound);
      const bucket = within === -1 ? metric.bounds.length : within;
      newest.set(keyOf(familyOf(metric), labels, bucket), { traceId, value, atMs: Date.now() });
    },
    find: (family, labels, bucket) => newest.get(keyOf(family, labels, bucket)),
  };
}
