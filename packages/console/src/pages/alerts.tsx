import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReadAlertsAnswer } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { useAccount } from "../app/session.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { Page, Panel, Skeleton } from "../components/panel.tsx";
import { LowCreditsForm } from "../features/money/low-credits-form.tsx";
import { creditsQuery } from "../features/money/queries.ts";
import { get } from "../lib/client.ts";

export function AlertsPage() {
  const { t } = useTranslation(["frame", "money"]);
  const { account, client } = useAccount();
  const cache = useQueryClient();
  const queryKey = [account.accountId, "alerts"];
  const alerts = useQuery({
    queryKey,
    queryFn: ({ signal }) => get<ReadAlertsAnswer>(client, "/api/v1/webhooks/alerts", {}, signal),
  });
  const credits = useQuery(creditsQuery({ account, client }));
  const error = alerts.error ?? credits.error;
  return (
    <Page title={t("pages.alerts")}>
      <Panel title={t("money:low")} className="max-w-xl">
        {error !== null && <ErrorPanel error={error} onRetry={() => void alerts.refetch()} />}
        {alerts.isPending && <Skeleton className="h-32" />}
        {alerts.data !== undefined && (
          <LowCreditsForm
            creditsLow={alerts.data.creditsLow}
            credits={credits.data?.credits}
            onSaved={(answer) => cache.setQueryData(queryKey, answer)}
          />
        )}
      </Panel>
    </Page>
  );
}
