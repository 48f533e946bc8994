import type { UsageItem } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { Table } from "../../components/table.tsx";
import { formatCredits, formatNumber } from "../../lib/format.ts";
import { intervalName, useValueName } from "./names.ts";
import type { Interval } from "./queries.ts";

interface Props {
  items: readonly UsageItem[];
  by: Interval;
}

export function UsageTable({ items, by }: Props) {
  const { t } = useTranslation("money");
  const nameOf = useValueName();
  return (
    <Table
      label={t("usage")}
      rows={items}
      keyOf={({ start, value }) => `${start} ${value}`}
      columns={[
        { title: t("interval"), cell: ({ start }) => intervalName(start, by), isShort: true },
        { title: t("value"), cell: (item) => <bdi>{nameOf(item)}</bdi> },
        { title: t("completed"), cell: (item) => formatNumber(item.completed), isNumber: true },
        { title: t("failed"), cell: (item) => formatNumber(item.failed), isNumber: true },
        { title: t("seconds"), cell: (item) => formatNumber(item.videoSeconds), isNumber: true },
        { title: t("charged"), cell: (item) => formatCredits(item.credits), isNumber: true },
      ]}
    />
  );
}
