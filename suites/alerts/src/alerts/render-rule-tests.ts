import type { AlertCase } from "./alert-cases.ts";
import { type Alert, type AlertName, alertTable } from "./alert-table.ts";
import { ordinary, type Shape } from "./ordinary-day.ts";
import { anchorOf, runbook } from "./render-rules.ts";

const everySeconds = 60;

/** The cases as a test file of promtool. JSON is YAML. */
export function renderRuleTests(rulesFile: string, cases: readonly AlertCase[]): string {
  return JSON.stringify({
    rule_files: [rulesFile],
    evaluation_interval: `${everySeconds}s`,
    tests: cases.map(renderCase),
  });
}

function renderCase({ name, becomes, fires, phaseMinutes = 20 }: AlertCase) {
  const phaseSeconds = phaseMinutes * 60;
  const unknown = Object.keys(becomes).filter((series) => !(series in ordinary));
  if (unknown.length > 0) throw new Error(`${name} changes what is not there: ${unknown}`);
  return {
    name,
    interval: `${everySeconds}s`,
    input_series: Object.entries(ordinary).map(([series, shape]) => ({
      series,
      values: renderValues([shape, becomes[series] ?? shape, shape], phaseSeconds / everySeconds),
    })),
    alert_rule_test: Object.entries<Alert>(alertTable).flatMap(([alertname, alert]) => {
      const early = phaseSeconds + alert.forSeconds - everySeconds;
      const expected = fires?.alert === alertname ? [expectedAlert(fires)] : [];
      const at = (seconds: number, exp_alerts: unknown[]) => ({
        eval_time: `${seconds}s`,
        alertname,
        exp_alerts,
      });
      return [
        at(phaseSeconds - everySeconds, []),
        at(Math.max(early, phaseSeconds - everySeconds), []),
        at(2 * phaseSeconds - everySeconds, expected),
        at(3 * phaseSeconds - everySeconds, []),
      ];
    }),
  };
}

function expectedAlert({ alert, labels, summary }: NonNullable<AlertCase["fires"]>) {
  const { severity } = alertTable[alert satisfies AlertName];
  return {
    exp_labels: { service: "zoetrope", severity, ...labels },
    exp_annotations: { summary, runbook: `${runbook}#${anchorOf(alert)}` },
  };
}

/** Renders one phase after the other; a counter continues from its last value. */
function renderValues(phases: readonly Shape[], samples: number): string {
  let total = 0;
  const parts = phases.map((shape) => {
    if ("is" in shape) return `${shape.is}x${samples - 1}`;
    if ("flaps" in shape)
      return Array.from({ length: samples }, (_, index) => shape.flaps[index % 2]).join(" ");
    const step = shape.perSecond * everySeconds;
    const part = `${total}+${step}x${samples - 1}`;
    total += step * samples;
    return part;
  });
  return parts.join(" ");
}
