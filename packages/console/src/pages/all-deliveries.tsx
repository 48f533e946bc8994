import { useQuery } from "@tanstack/react-query";
import type { ListFailingHostsAnswer } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Badge, Notice } from "../components/badge.tsx";
import { Empty, Page, Panel } from "../components/panel.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { AccountLink } from "../features/operations/facts.tsx";
import { Loaded, ReadAgain } from "../features/operations/loaded.tsx";
import { hostsQuery } from "../features/operations/queries.ts";
import { formatNumber } from "../lib/format.ts";
import { reasonBeside } from "../lib/reason-beside.ts";

export function AllDeliveriesPage() {
  const { t } = useTranslation(["operations", "frame"]);
  const hosts = useQuery(hostsQuery);
  return (
    <Page
      title={t("frame:pages.deliveries")}
      about={t("operations:hosts.about")}
      actions={<ReadAgain queries={[hosts]} />}
    >
      <Loaded query={hosts} className="h-96">
        {({ items, endpoints, isComplete }) => (
          <>
            {!isComplete && <Notice tone="warn">{t("operations:hosts.incomplete")}</Notice>}
            {items.length === 0 ? (
              <Empty title={t("operations:hosts.none")} />
            ) : (
              <Table
                label={t("frame:pages.deliveries")}
                rows={items}
                keyOf={({ host }) => host}
                columns={[
                  {
                    title: t("operations:hosts.host"),
                    cell: ({ host }) => <bdi className="font-medium break-all">{host}</bdi>,
                  },
                  {
                    title: t("operations:hosts.failing"),
                    isNumber: true,
                    cell: ({ failing }) => formatNumber(failing),
                  },
                  {
                    title: t("operations:hosts.givenUp"),
                    isNumber: true,
                    cell: ({ givenUp }) => formatNumber(givenUp),
                  },
                  {
                    title: t("frame:pages.accounts"),
                    isNumber: true,
                    cell: ({ accounts }) => formatNumber(accounts),
                  },
                  { title: t("operations:since"), cell: ({ since }) => <Time ms={since} /> },
                  {
                    title: t("operations:hosts.last"),
                    cell: (host) => <LastAnswer {...host} />,
                  },
                ]}
              />
            )}
            <FailingEndpoints endpoints={endpoints} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function FailingEndpoints({ endpoints }: Pick<ListFailingHostsAnswer, "endpoints">) {
  const { t } = useTranslation(["operations", "frame"]);
  return (
    <Panel title={t("operations:hosts.endpoints")}>
      {endpoints.length === 0 ? (
        <p className="text-muted">{t("operations:hosts.noEndpoints")}</p>
      ) : (
        <Table
          label={t("operations:hosts.endpoints")}
          rows={endpoints}
          keyOf={({ endpointId }) => endpointId}
          columns={[
            {
              title: t("operations:hosts.host"),
              cell: ({ host, isPaused }) => (
                <span className="flex flex-wrap items-center gap-2">
                  <bdi className="font-medium break-all">{host}</bdi>
                  {isPaused && <Badge tone="warn">{t("operations:hosts.paused")}</Badge>}
                </span>
              ),
            },
            {
              title: t("frame:account"),
              cell: ({ accountId }) => <AccountLink accountId={accountId} />,
            },
            {
              title: t("operations:hosts.failures"),
              isNumber: true,
              cell: ({ failures }) => formatNumber(failures),
            },
            {
              title: t("operations:since"),
              cell: ({ failingSince }) => <Time ms={failingSince} />,
            },
            {
              title: t("operations:hosts.lastAttempt"),
              cell: ({ lastAttemptAt }) => <Time ms={lastAttemptAt} />,
            },
            {
              title: t("operations:hosts.last"),
              cell: (endpoint) => <LastAnswer {...endpoint} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}

interface Answered {
  lastStatus: number | null;
  lastReason: string | null;
}

function LastAnswer({ lastStatus, lastReason }: Answered) {
  const parts = [
    lastStatus === null ? null : `HTTP ${lastStatus}`,
    reasonBeside(lastStatus, lastReason),
  ];
  return (
    <span dir="auto" className="block min-w-40 break-words">
      {parts.filter((part) => part !== null).join(" · ") || "–"}
    </span>
  );
}
