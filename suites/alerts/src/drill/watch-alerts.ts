import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { keepDoing } from "./keep-doing.ts";

export type AlertLabels = Readonly<Record<string, string>>;

interface PrometheusAlert {
  readonly state: "pending" | "firing";
  readonly labels: AlertLabels;
}

export interface Watch {
  /** Every alert that fired since the last call. */
  takeFired(): AlertLabels[];
  /** Waits until an alert with these labels fires; false: none did in time. */
  fires(labels: AlertLabels, msMax: number): Promise<boolean>;
  /** Waits until no alert fires or is about to; false: one still does. */
  isQuiet(msMax: number): Promise<boolean>;
  stop(): Promise<void>;
}

const everyMs = 250;

/** Looks at the alerts of Prometheus more often than it evaluates them. */
export function watchAlerts(url: string): Watch {
  const fired = new Map<string, AlertLabels>();
  let now: PrometheusAlert[] = [];
  let looks = 0;

  async function look(): Promise<void> {
    const response = await fetch(`${url}/api/v1/alerts`, { signal: AbortSignal.timeout(30_000) });
    const { data } = (await response.json()) as { data: { alerts: PrometheusAlert[] } };
    now = data.alerts;
    for (const { state, labels } of now)
      if (state === "firing") fired.set(JSON.stringify(Object.entries(labels).sort()), labels);
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
      const all = [...fired.values()];
      fired.clear();
      return all;
    },
    fires: (expected, msMax) =>
      becomes(
        () => now.some(({ state, labels }) => state === "firing" && hasLabels(labels, expected)),
        msMax,
      ),
    isQuiet: (msMax) => becomes(() => now.length === 0, msMax),
    stop,
  };
}

export function hasLabels(labels: AlertLabels, expected: AlertLabels): boolean {
  return Object.entries(expected).every(([name, value]) => labels[name] === value);
}
