import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { Empty, Page } from "../components/panel.tsx";
import { toast } from "../components/toasts.tsx";
import { ChecksTable } from "../features/operations/checks-table.tsx";
import { useIsOperator } from "../features/operations/for-staff.tsx";
import { Loaded, ReadAgain } from "../features/operations/loaded.tsx";
import { admin, ledgerQuery } from "../features/operations/queries.ts";
import { client } from "../lib/client.ts";
import { useAction } from "../lib/use-action.ts";

export function LedgerChecksPage() {
  const { t } = useTranslation(["operations", "frame"]);
  const checks = useQuery(ledgerQuery);
  const isOperator = useIsOperator();
  const start = useAction(async () => {
    await client.request({ method: "POST", path: `${admin}/ledger-checks` });
    toast(t("operations:ledger.begun"));
    await checks.refetch();
  });
  const isRunning = checks.data?.items.some(({ finishedAt }) => finishedAt === null) ?? false;
  return (
    <Page
      title={t("frame:pages.ledger")}
      about={t("operations:ledger.about")}
      actions={
        <>
          <ReadAgain queries={[checks]} />
          {isOperator && (
            <Button variant="primary" isBusy={start.isBusy} onClick={() => start.run()}>
              {t("operations:ledger.start")}
            </Button>
          )}
        </>
      }
    >
      {start.error !== null && (
        <ErrorPanel error={start.error} onRetry={() => void checks.refetch()} />
      )}
      {isRunning && (
        <p role="status" className="text-muted">
          {t("operations:ledger.later")}
        </p>
      )}
      <Loaded query={checks} className="h-96">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t("operations:ledger.none")} />
          ) : (
            <ChecksTable checks={items} />
          )
        }
      </Loaded>
    </Page>
  );
}
