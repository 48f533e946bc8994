import { useTranslation } from "react-i18next";
import { Table } from "../../components/table.tsx";
import { formatNumber, formatSeconds } from "../../lib/format.ts";
import type { Day } from "./figures.ts";

interface Props {
  days: readonly Day[];
  onReviewer(reviewer: string): void;
}

export function FiguresTable({ days, onReviewer }: Props) {
  const { t } = useTranslation("review");
  return (
    <Table
      label={t("figuresLabel")}
      rows={days}
      keyOf={({ day, reviewer }) => `${day} ${reviewer}`}
      columns={[
        { title: t("column.day"), cell: ({ day }) => <time dateTime={day}>{day}</time> },
        {
          title: t("column.reviewer"),
          cell: ({ reviewer, reviewerName }) => (
            <button
              type="button"
              className="text-left underline decoration-line-strong underline-offset-2"
              onClick={() => onReviewer(reviewer)}
            >
              <bdi>{reviewerName ?? reviewer}</bdi>
            </button>
          ),
        },
        ...(["judged", "approved", "refused", "undone"] as const).map((name) => ({
          title: name === "judged" ? t("figure.judged") : t(`did.${name}`),
          isNumber: true,
          cell: (day: Day) => formatNumber(day[name]),
        })),
        {
          title: t("figure.each"),
          isNumber: true,
          cell: ({ judged, seconds }) => (judged === 0 ? "–" : formatSeconds(seconds / judged)),
        },
      ]}
    />
  );
}
