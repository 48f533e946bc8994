import { useTranslation } from "react-i18next";
import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { type Day, perDay } from "./figures.ts";

/** Decisions by day. The table below has the same numbers. */
export function FiguresChart({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation("review");
  return (
    <ResponsiveContainer width="100%" height={240}>
      <BarChart data={perDay(days)} accessibilityLayer title={t("chartLabel")}>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis dataKey="day" stroke="var(--color-muted)" tick={{ fontSize: 12 }} minTickGap={24} />
        <YAxis allowDecimals={false} stroke="var(--color-muted)" tick={{ fontSize: 12 }} />
        <Tooltip
          cursor={{ fill: "var(--color-sunken)" }}
          contentStyle={{
            background: "var(--color-raised)",
            border: "1px solid var(--color-line)",
            borderRadius: 6,
          }}
          itemStyle={{ color: "var(--color-ink)" }}
        />
        <Legend formatter={(name) => <span className="text-ink">{String(name)}</span>} />
        {(["approved", "refused"] as const).map((name) => (
          <Bar
            key={name}
            dataKey={name}
            name={t(`did.${name}`)}
            stackId="all"
            maxBarSize={48}
            fill={name === "approved" ? "var(--color-good)" : "var(--color-bad)"}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
