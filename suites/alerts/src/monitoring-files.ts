import { fileURLToPath } from "node:url";
import { renderRules } from "./alerts/render-rules.ts";
import { renderDashboard } from "./dashboard/render-dashboard.ts";
import { renderPrometheusConfig } from "./prometheus-config.ts";

export const pathOf = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

/** The files that are made from the tables here, with their paths. */
export function monitoringFiles(): readonly (readonly [file: string, text: string])[] {
  const targets = { api: ["api:9464"], worker: ["worker:9464"] };
  return [
    ["deploy/monitoring/alerts.yml", renderRules()],
    ["deploy/monitoring/dashboard.json", renderDashboard()],
    [
      "deploy/monitoring/prometheus.yml",
      renderPrometheusConfig(targets, { every: "15s", rulesFile: "alerts.yml" }),
    ],
  ];
}
