import { type Alert, alertTable } from "./alert-table.ts";
import type { Duration } from "./objectives.ts";

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`; // a string of YAML
export const runbook = "docs/runbook.md";

/** The heading's address, as GitHub and most renderers make it. */
export const anchorOf = (name: string) => name.toLowerCase();

/** `times` divides every time of the rules, ranges included. */
export function durationOf(times: number): Duration {
  return (seconds) => `${Math.max(1, Math.round((seconds * 1000) / times))}ms`;
}

/** 300 s are `5m`. */
const wholeDuration: Duration = (seconds) =>
  seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;

/** The alerts as a rule file of Prometheus. */
export function renderRules(duration: Duration = wholeDuration): string {
  const rules = Object.entries<Alert>(alertTable).map(([name, alert]) =>
    renderRule(name, alert, duration),
  );
  return `# Made from suites/alerts/src/alerts/alert-table.ts by \`npm run generate\`: change the code, not this file.
groups:
  - name: zoetrope
    rules:
${rules.join("")}`;
}

function renderRule(name: string, alert: Alert, duration: Duration): string {
  return `      - alert: ${name}
        expr: ${quote(alert.expression(duration))}
        for: ${alert.forSeconds === 0 ? "0s" : duration(alert.forSeconds)}
        labels:
          service: zoetrope
          severity: ${alert.severity}
        annotations:
          summary: ${quote(alert.summary)}
          runbook: ${runbook}#${anchorOf(name)}
`;
}
