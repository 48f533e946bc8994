import type { Attributes } from "@opentelemetry/api";
import {
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import type { Exemplars } from "./exemplars.ts";

export const openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** The collected metrics as OpenMetrics text, with the exemplars that the SDK does not have. */
export function renderOpenMetrics(collected: ResourceMetrics, exemplars: Exemplars): string {
  const families = collected.scopeMetrics.flatMap(({ metrics }) => metrics);
  return `${families.map((metric) => renderFamily(metric, exemplars)).join("")}# EOF\n`;
}

function renderFamily(metric: MetricData, exemplars: Exemplars): string {
  const { name, description } = metric.descriptor;
  const [, unit] = /_(seconds|bytes)$/.exec(name) ?? [];
  const head = (type: string) =>
    `# TYPE ${name} ${type}\n${unit === undefined ? "" : `# UNIT ${name} ${unit}\n`}# HELP ${name} ${escapeText(description)}\n`;
  switch (metric.dataPointType) {
    case DataPointType.SUM:
      return head("counter") + renderPoints(`${name}_total`, metric.dataPoints);
    case DataPointType.GAUGE:
      return head("gauge") + renderPoints(name, metric.dataPoints);
    case DataPointType.HISTOGRAM:
      return (
        head("histogram") +
        metric.dataPoints.map((point) => renderHistogram(name, point, exemplars)).join("")
      );
    default:
      return ""; // no instrument of ours has another type
  }
}

function renderPoints(name: string, points: readonly DataPoint<number>[]): string {
  return points
    .map(({ attributes, value }) => `${name}${renderLabels(attributes)} ${renderNumber(value)}\n`)
    .join("");
}

function renderHistogram(
  name: string,
  { attributes, value: { buckets, count, sum } }: DataPoint<Histogram>,
  exemplars: Exemplars,
): string {
  let below = 0;
  const lines = buckets.counts.map((inBucket, index) => {
    below += inBucket;
    const bound = buckets.boundaries[index];
    const le = bound === undefined ? "+Inf" : renderBound(bound);
    const labels = renderLabels({ ...attributes, le });
    return `${name}_bucket${labels} ${below}${renderExemplar(exemplars.find(name, attributes, index))}\n`;
  });
  const labels = renderLabels(attributes);
  return `${lines.join("")}${name}_count${labels} ${count}\n${name}_sum${labels} ${renderNumber(sum ?? 0)}\n`;
}

function renderExemplar(exemplar: ReturnType<Exemplars["find"]>): string {
  if (exemplar === undefined) return "";
  const { traceId, value, atMs } = exemplar;
  return ` # {trace_id="${traceId}"} ${renderNumber(value)} ${(atMs / 1000).toFixed(3)}`;
}

function renderLabels(attributes: Attributes): string {
  const pairs = Object.entries(attributes).map(
    ([name, value]) => `${name.replace(/[^a-zA-Z0-9_]/g, "_")}="${escapeText(String(value))}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

function renderNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

/** Bounds are labels, so they have one spelling. */
function renderBound(bound: number): string {
  return Number.isInteger(bound) ? `${bound}.0` : String(bound);
}
