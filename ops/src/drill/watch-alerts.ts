import { waitUntil } from "@zoetrope/testkit/services/wait-until.ts";
import { keepDoing } from "./keep-doing.ts";

interface PrometheusAlert {
  readonly state: "pending" | "firing";
  readonly labels: Readonly<Record<string, string>>;
}

export interface Watch {
  /** Every alert that fired since the last call, with its labels of interest. */
  takeFired(): string[];
  /** Waits until this alert fires; false: it did not in time. */
  fires(name: string, msMax: number): Promise<boolean>;
  /** Waits until no alert fires; false: one still does. */
  isQuiet(msMax: number): Promise<boolean>;
  stop(): Promise<void>;
}

const everyMs = 250;

/** Looks at the alerts of Prometheus more often than it evaluates them. */
export function watchAlerts(url: string): Watch {
  const fired = new Map<string, string>();
  let now: PrometheusAlert[] = [];
  let looks = 0;

  async function look(): Promise<void> {
    const response = await fetch(`${url}/api/v1/alerts`, { signal: AbortSignal.timeout(30_000) });
    const { data } = (await response.json()) as { data: { alerts: PrometheusAlert[] } };
    now = data.alerts.filter(({ state }) => state === "firing");
    for (const { labels } of now) fired.set(describe(labels), labels["alertname"] ?? "");
    looks += 1;
  }
  const stop = keepDoing(look, everyMs);

  /** Only what was seen after the call counts. */
  async function becomes(isSo: () => boolean, msMax: number): Promise<boolean> {
    const from = looks + 1;
    return waitUntil("the alerts are so", () => looks > from && isSo(), { timeoutMs: msMax }).then(
      () => true,
      () => false,
    );
  }

  return {
    takeFired() {
      const names = [...fired.values()];
      fired.clear();
      return [...new Set(names)];
    },
    fires: (name, msMax) =>
      becomes(() => now.some(({ labels }) => labels["alertname"] === name), msMax),
    isQuiet: (msMax) => becomes(() => now.length === 0, msMax),
    stop,
  };
}

function describe(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort());
}
