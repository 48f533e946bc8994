import { familyOf, type Label, type Metric } from "../metrics/define-metric.ts";
import { metricTable } from "../metrics/metric-table.ts";
import { renderTable } from "./markdown.ts";

/** Every metric for readers. */
export function renderMetrics(): string {
  return `# Metrics

Each api and worker serves its metrics as OpenMetrics text at \`/metrics\` of its \`OPS_PORT\`. What concerns the whole database or all accounts is measured by every worker: take the \`max\`, not the \`sum\`. A label value outside its list, or beyond its number, is \`other\`. Buckets of histograms carry the newest recorded trace as an exemplar (\`trace_id\`).

${renderTable(
  ["name", "type", "labels", "what it is"],
  Object.values<Metric>(metricTable).map((metric) => [
    `\`${seriesNameOf(metric)}\``,
    metric.kind,
    Object.entries(metric.labels)
      .map(([name, label]) => `\`${name}\`: ${describeLabel(label)}`)
      .join("; "),
    metric.help,
  ]),
)}`;
}

/** Returns the name of a metric as queries use it. */
function seriesNameOf(metric: Metric): string {
  return metric.kind === "counter" ? `${familyOf(metric)}_total` : familyOf(metric);
}

function describeLabel(label: Label): string {
  if ("valuesMax" in label) return `at most ${label.valuesMax}`;
  return label.map((value) => `\`${value}\``).join(", ");
}
