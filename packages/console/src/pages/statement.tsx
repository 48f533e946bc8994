import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Transfer } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { useAccount } from "../app/session.tsx";
import { Badge, type Tone } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { Empty, Page, Skeleton } from "../components/panel.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { CsvButton } from "../features/money/csv-button.tsx";
import { ledgerQuery } from "../features/money/queries.ts";
import { formatCredits } from "../lib/format.ts";

const tones: Record<Transfer["kind"], Tone> = {
  grant: "good",
  hold: "neutral",
  raise: "neutral",
  capture: "accent",
  release: "neutral",
  adjust: "warn",
  expiry: "warn",
};

export function StatementPage() {
  const { t } = useTranslation(["frame", "money"]);
  const ledger = useInfiniteQuery(ledgerQuery(useAccount()));
  const entries = ledger.data?.pages.flatMap(({ items }) => items);
  return (
    <Page title={t("pages.statement")} about={t("money:kindsAbout")} actions={<CsvButton />}>
      {ledger.error !== null && (
        <ErrorPanel error={ledger.error} onRetry={() => void ledger.refetch()} />
      )}
      {ledger.isPending && <Skeleton className="h-96" />}
      {entries?.length === 0 && (
        <Empty title={t("money:noEntries")}>{t("money:noEntriesAbout")}</Empty>
      )}
      {entries !== undefined && entries.length > 0 && <Entries entries={entries} />}
      {ledger.hasNextPage && (
        <Button isBusy={ledger.isFetchingNextPage} onClick={() => void ledger.fetchNextPage()}>
          {t("showMore")}
        </Button>
      )}
    </Page>
  );
}

function Entries({ entries }: { entries: readonly Transfer[] }) {
  const { t } = useTranslation(["frame", "money"]);
  return (
    <Table
      label={t("pages.statement")}
      rows={entries}
      keyOf={({ number }) => String(number)}
      columns={[
        { title: t("money:number"), cell: ({ number }) => number, isNumber: true },
        { title: t("money:time"), cell: ({ time }) => <Time ms={time} /> },
        {
          title: t("money:kind"),
          cell: ({ kind }) => <Badge tone={tones[kind]}>{t(`money:kinds.${kind}`)}</Badge>,
        },
        {
          title: t("money:task"),
          cell: ({ taskId }) => taskId !== null && <TaskLink id={taskId} />,
        },
        { title: t("money:note"), cell: ({ note }) => <bdi>{note}</bdi> },
        { title: t("money:amount"), cell: ({ amount }) => formatCredits(amount), isNumber: true },
        {
          title: t("money:balance"),
          cell: (entry) => formatCredits(entry.credits),
          isNumber: true,
        },
        {
          title: t("money:availableAfter"),
          cell: ({ availableCredits }) => formatCredits(availableCredits),
          isNumber: true,
        },
      ]}
    />
  );
}

function TaskLink({ id }: { id: string }) {
  return (
    <Link to={`/tasks/${id}` as never} className="font-mono text-sm text-accent-strong underline">
      …{id.slice(-12)}
    </Link>
  );
}
