import type { Metrics, OpenMetrics } from "./create-metrics.ts";
import { metricTable } from "./metric-table.ts";

/** Creates metrics for a process without an ops port, where nobody could read them: recording costs nothing. */
export function createSilentMetrics(): OpenMetrics {
  const instrument = { add() {}, record() {}, set() {}, observe: () => () => {} };
  const instruments = Object.keys(metricTable).map((name) => [name, instrument]);
  return {
    metrics: Object.fromEntries(instruments) as Metrics,
    render: async () => "# EOF\n",
    async close() {},
  };
}
