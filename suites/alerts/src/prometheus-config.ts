import { jobs } from "./jobs.ts";

export interface Targets {
  readonly api: readonly string[];
  readonly worker: readonly string[];
}

/** The configuration of a Prometheus that scrapes api and worker and evaluates the rules. */
export function renderPrometheusConfig(
  targets: Targets,
  { every, rulesFile }: { every: string; rulesFile: string },
): string {
  const job = (role: keyof Targets) => `  - job_name: ${jobs[role]}
    static_configs:
      - targets: ${JSON.stringify(targets[role])}
`;
  return `global:
  scrape_interval: ${every}
  scrape_timeout: ${every}
  evaluation_interval: ${every}
rule_files:
  - ${JSON.stringify(rulesFile)}
scrape_configs:
${job("api")}${job("worker")}`;
}
