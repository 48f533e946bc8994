import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Page } from "../components/panel.tsx";
import { findProblems } from "../features/operations/find-problems.ts";
import { Loaded, ReadAgain } from "../features/operations/loaded.tsx";
import { Problems } from "../features/operations/problems.tsx";
import { ledgerQuery, systemQuery, vendorsQuery } from "../features/operations/queries.ts";
import { PartsPanel, ProcessesTable, QueuesPanel } from "../features/operations/system-panels.tsx";

export function StatusPage() {
  const { t } = useTranslation(["operations", "frame"]);
  const system = useQuery(systemQuery);
  const vendors = useQuery(vendorsQuery);
  const ledger = useQuery(ledgerQuery);
  return (
    <Page
      title={t("frame:pages.status")}
      actions={<ReadAgain queries={[system, vendors, ledger]} />}
    >
      <Loaded query={system} className="h-[40rem]">
        {(data) => (
          <>
            <Problems problems={findProblems(data, vendors.data, ledger.data)} />
            <div className="grid gap-4 lg:grid-cols-2">
              <QueuesPanel queues={data.queues} />
              <PartsPanel system={data} />
            </div>
            <h2 className="text-lg font-semibold">{t("operations:status.processes")}</h2>
            <ProcessesTable processes={data.processes} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
