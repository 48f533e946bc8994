import { type Attributes, context, TraceFlags, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  AggregationType,
  type CollectionResult,
  type IMetricReader,
  MeterProvider,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import { boundLabels, knownSeries, seriesMax } from "./bound-labels.ts";
import {
  type CounterMetric,
  familyOf,
  type GaugeMetric,
  type HistogramMetric,
  type LabelValues,
  type Metric,
} from "./define-metric.ts";
import { createExemplars } from "./exemplars.ts";
import { type MetricTable, metricTable } from "./metric-table.ts";
import { renderOpenMetrics } from "./render-open-metrics.ts";

interface Counter<Values> {
  add(values: Values, count?: number): void;
}

interface Histogram<Values> {
  record(seconds: number, values: Values): void;
}

export type Reading<Values> = readonly [value: number, values: Values];

interface Gauge<Values> {
  /** Called for every scrape, at most once a second: reads memory, or asks something that is bounded. */
  observe(read: () => Readings<Values> | Promise<Readings<Values>>): () => void;
  /** Sets a value that is reported now and then: shown for five minutes. */
  set(value: number, values: Values): void;
}
type Readings<Values> = Iterable<Reading<Values>>;

type Instrument<Of> =
  Of extends CounterMetric<infer Labels>
    ? Counter<LabelValues<Labels>>
    : Of extends HistogramMetric<infer Labels>
      ? Histogram<LabelValues<Labels>>
      : Of extends GaugeMetric<infer Labels>
        ? Gauge<LabelValues<Labels>>
        : never;

export type Metrics = { readonly [Name in keyof MetricTable]: Instrument<MetricTable[Name]> };

export interface OpenMetrics {
  metrics: Metrics;
  /** The exposition: OpenMetrics text. */
  render(): Promise<string>;
  close(): Promise<void>;
}

/** The trace of the current unit of work, if it is recorded. */
function currentTraceId(): string | null {
  const span = trace.getSpanContext(context.active());
  return span !== undefined && (span.traceFlags & TraceFlags.SAMPLED) !== 0 ? span.traceId : null;
}

export function createMetrics(traceIdOf: () => string | null = currentTraceId): OpenMetrics {
  const reader = createReader();
  const provider = new MeterProvider({ readers: [reader] });
  const meter = provider.getMeter("zoetrope");
  const exemplars = createExemplars();

  function openCounter(metric: CounterMetric): Counter<Attributes> {
    const bound = boundLabels(metric);
    const totals = new Map<Attributes, number>(); // equal labels are one object
    for (const labels of knownSeries(metric)) totals.set(bound(labels), 0);
    // The SDK hashes the labels of every call; here only those of a scrape.
    const instrument = meter.createObservableCounter(familyOf(metric), {
      description: metric.help,
    });
    instrument.addCallback((result) => {
      for (const [labels, total] of totals) result.observe(total, labels);
    });
    return {
      add(values, count = 1) {
        const labels = bound(values);
        totals.set(labels, (totals.get(labels) ?? 0) + count);
      },
    };
  }

  function openHistogram(metric: HistogramMetric): Histogram<Attributes> {
    const family = familyOf(metric);
    const instrument = meter.createHistogram(family, {
      description: metric.help,
      advice: { explicitBucketBoundaries: [...metric.bounds] },
    });
    const bound = boundLabels(metric);
    return {
      record(seconds, values) {
        const value = Math.max(0, seconds); // clocks of two machines can differ
        const labels = bound(values);
        instrument.record(value, labels);
        const traceId = traceIdOf();
        if (traceId !== null) exemplars.keep(metric, labels, { value, traceId });
      },
    };
  }

  function openGauge(metric: GaugeMetric): Gauge<Attributes> {
    const instrument = meter.createObservableGauge(familyOf(metric), { description: metric.help });
    const bound = boundLabels(metric);
    const latest = new Map<Attributes, { value: number; at: number }>(); // equal labels are one object
    const observeValues = (result: { observe(value: number, labels: Attributes): void }) => {
      for (const [labels, { value, at }] of latest)
        if (performance.now() - at < valueMsMax) result.observe(value, labels);
    };
    return {
      set(value, values) {
        if (latest.size === 0) instrument.addCallback(observeValues);
        latest.set(bound(values), { value, at: performance.now() });
      },
      observe(read) {
        const callback = async (result: { observe(value: number, labels: Attributes): void }) => {
          for (const [value, values] of await read()) result.observe(value, bound(values));
        };
        instrument.addCallback(callback);
        return () => instrument.removeCallback(callback);
      },
    };
  }

  function open(metric: Metric): unknown {
    if (metric.kind === "counter") return openCounter(metric);
    return metric.kind === "histogram" ? openHistogram(metric) : openGauge(metric);
  }

  const instruments = Object.entries(metricTable).map(([name, metric]) => [name, open(metric)]);
  return {
    metrics: Object.fromEntries(instruments) as Metrics,
    async render() {
      const { resourceMetrics } = await reader.collect({ timeoutMillis: collectMsMax });
      return renderOpenMetrics(resourceMetrics, exemplars);
    },
    close: () => provider.shutdown(),
  };
}

const valueMsMax = 5 * 60_000;
/** A part that hangs is left out. */
const collectMsMax = 3_000;

/** Creates a reader that only collects: nothing is pushed and no timer runs. */
function createReader(): IMetricReader {
  let producer: MetricProducer | undefined;
  return {
    setMetricProducer(metricProducer) {
      producer = metricProducer;
    },
    selectAggregation: () => ({ type: AggregationType.DEFAULT }),
    selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
    selectCardinalityLimit: () => 2 * seriesMax, // never met: labels are bounded before
    async collect(options): Promise<CollectionResult> {
      if (producer === undefined) throw new Error("the reader belongs to no provider");
      return producer.collect(options);
    },
    async shutdown() {},
    async forceFlush() {},
  };
}
