import { useTranslation } from "react-i18next";
import { BarChart } from "../../components/bar-chart.tsx";
import { formatNumber } from "../../lib/format.ts";
import { type Day, perDay } from "./figures.ts";

/** Decisions by day. The table below has the same numbers. */
export function FiguresChart({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation("review");
  return (
    <BarChart
      label={t("chartLabel")}
      series={[
        { name: t("did.approved"), color: "var(--color-good)" },
        { name: t("did.refused"), color: "var(--color-bad)" },
      ]}
      rows={perDay(days).map(({ day, approved, refused }) => ({
        id: day,
        name: day,
        values: [approved, refused],
      }))}
      format={formatNumber}
    />
  );
}
