import type { UsageItem } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { BarChart } from "../../components/bar-chart.tsx";
import { formatCredits } from "../../lib/format.ts";
import { intervalsOf } from "./intervals.ts";
import { intervalName, useValueName } from "./names.ts";
import type { Interval } from "./queries.ts";

/** Told apart also by people who do not see all colours: they differ in lightness. */
const colors = [
  "var(--color-chart-1)",
  "var(--color-chart-2)",
  "var(--color-chart-3)",
  "var(--color-chart-4)",
  "var(--color-chart-5)",
];
/** The maximum number of series. Others are added up: more colours cannot be told apart. */
const seriesMax = colors.length;

interface Props {
  items: readonly UsageItem[];
  by: Interval;
  days: number;
}

export function UsageChart({ items, by, days }: Props) {
  const { t } = useTranslation("money");
  const nameOf = useValueName();
  const series = largest(items, nameOf, t("others"));
  const rows = byInterval(intervalsOf(by, days, Date.now()), items, (item) => {
    const name = nameOf(item);
    return series.includes(name) ? name : (series.at(-1) ?? name);
  });
  return (
    <figure>
      <figcaption className="mb-2 text-sm text-muted">{t("chartAbout")}</figcaption>
      <BarChart
        label={t("chartAbout")}
        series={series.map((name, at) => ({ name, color: colors[at] ?? "" }))}
        rows={rows.map(({ start, values }) => ({
          id: start,
          name: intervalName(start, by),
          values: series.map((name) => values[name] ?? 0),
        }))}
        format={formatCredits}
      />
    </figure>
  );
}

interface Row {
  start: number;
  values: Record<string, number>;
}

/** The series that cost most, by name, without those that cost nothing; the last one stands for all others if there are too many. */
function largest(
  items: readonly UsageItem[],
  nameOf: (item: UsageItem) => string,
  others: string,
): string[] {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(nameOf(item), (sums.get(nameOf(item)) ?? 0) + item.credits);
  const names = [...sums]
    .filter(([, credits]) => credits > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => name);
  return names.length <= seriesMax ? names : [...names.slice(0, seriesMax - 1), others];
}

/** Intervals without usage have their place too: a chart without them hides the pauses. */
function byInterval(
  starts: readonly number[],
  items: readonly UsageItem[],
  nameOf: (item: UsageItem) => string,
): Row[] {
  const rows = new Map<number, Row>(starts.map((start) => [start, { start, values: {} }]));
  for (const item of items) {
    const row = rows.get(item.start) ?? { start: item.start, values: {} };
    const name = nameOf(item);
    row.values[name] = (row.values[name] ?? 0) + item.credits;
    rows.set(item.start, row);
  }
  return [...rows.values()].sort((one, other) => one.start - other.start);
}
