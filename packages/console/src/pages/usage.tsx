import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useAccount } from "../app/session.tsx";
import { Notice } from "../components/badge.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { Empty, Page, Panel, Skeleton } from "../components/panel.tsx";
import { Balance } from "../features/money/balance.tsx";
import {
  creditsQuery,
  type UsageFilters,
  usageItemsMax,
  usageQuery,
} from "../features/money/queries.ts";
import { UsageChart } from "../features/money/usage-chart.tsx";
import { UsageControls, usageDefaults } from "../features/money/usage-controls.tsx";
import { UsageTable } from "../features/money/usage-table.tsx";
import { useFilters } from "../lib/filters.ts";

export function UsagePage() {
  const { t } = useTranslation(["frame", "money"]);
  const through = useAccount();
  const [filters, setFilters] = useFilters(usageDefaults);
  const wanted = { ...filters, days: Number(filters.days) || 30 } as UsageFilters;
  const credits = useQuery(creditsQuery(through));
  const usage = useQuery(usageQuery(through, wanted));
  const items = usage.data?.items;
  const by = usage.data?.by ?? "day";
  return (
    <Page title={t("pages.usage")}>
      {credits.error !== null && (
        <ErrorPanel error={credits.error} onRetry={() => void credits.refetch()} />
      )}
      <Balance credits={credits.data} />
      <Panel title={t("money:usage")}>
        <UsageControls filters={filters} onChange={setFilters} />
        {usage.error !== null && (
          <ErrorPanel error={usage.error} onRetry={() => void usage.refetch()} />
        )}
        {usage.isPending && <Skeleton className="h-80" />}
        {items?.length === 0 && <Empty title={t("money:noUsage")}>{t("money:noUsageAbout")}</Empty>}
        {usage.data?.nextCursor != null && (
          <Notice tone="warn">{t("money:cut", { count: usageItemsMax })}</Notice>
        )}
        {items !== undefined && items.length > 0 && filters.view === "chart" && (
          <UsageChart items={items} by={by} days={by === wanted.by ? wanted.days : 0} />
        )}
        {items !== undefined && items.length > 0 && filters.view === "table" && (
          <UsageTable items={items} by={by} />
        )}
      </Panel>
    </Page>
  );
}
