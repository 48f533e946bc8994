import type { LedgerCheck } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { formatNumber, formatSeconds } from "../../lib/format.ts";

export function ChecksTable({ checks }: { checks: readonly LedgerCheck[] }) {
  const { t } = useTranslation(["operations", "frame"]);
  const count = (value: number | null) => (value === null ? "–" : formatNumber(value));
  return (
    <Table
      label={t("operations:ledger.checks")}
      rows={checks}
      keyOf={({ checkId }) => checkId}
      columns={[
        { title: t("operations:ledger.asked"), cell: ({ askedAt }) => <Time ms={askedAt} /> },
        { title: t("operations:ledger.result"), cell: (check) => <Result check={check} /> },
        {
          title: t("operations:ledger.took"),
          isNumber: true,
          cell: ({ startedAt, finishedAt }) =>
            startedAt === null || finishedAt === null
              ? "–"
              : formatSeconds((finishedAt - startedAt) / 1000),
        },
        {
          title: t("operations:ledger.transfers"),
          isNumber: true,
          cell: ({ transfers }) => count(transfers),
        },
        { title: t("frame:pages.tasks"), isNumber: true, cell: ({ tasks }) => count(tasks) },
      ]}
    />
  );
}

function Result({ check }: { check: LedgerCheck }) {
  const { t } = useTranslation("operations");
  const { startedAt, finishedAt, failure, breaches } = check;
  if (failure !== null)
    return (
      <>
        <Badge tone="bad">{t("ledger.failed")}</Badge>{" "}
        <span className="break-words">{failure}</span>
      </>
    );
  if (finishedAt === null)
    return <Badge tone="accent">{t(startedAt === null ? "ledger.waits" : "ledger.runs")}</Badge>;
  if (breaches === null || breaches.length === 0) return <Badge>{t("ledger.well")}</Badge>;
  return (
    <details>
      <summary className="py-0.5">
        <Badge tone="bad">{t("ledger.broken", { number: breaches.length })}</Badge>
      </summary>
      <pre className="mt-2 max-h-80 max-w-xl overflow-auto rounded bg-sunken p-2 font-mono text-sm whitespace-pre-wrap">
        {JSON.stringify(breaches, null, 2)}
      </pre>
    </details>
  );
}
