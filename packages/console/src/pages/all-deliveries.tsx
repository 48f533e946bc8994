import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Notice } from "../components/badge.tsx";
import { Empty } from "../components/panel.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { ForStaff } from "../features/operations/for-staff.tsx";
import { Loaded, ReadAgain } from "../features/operations/loaded.tsx";
import { hostsQuery } from "../features/operations/queries.ts";
import { formatNumber } from "../lib/format.ts";

export function AllDeliveriesPage() {
  const { t } = useTranslation(["operations", "frame"]);
  const hosts = useQuery(hostsQuery);
  return (
    <ForStaff
      title={t("frame:pages.deliveries")}
      about={t("operations:hosts.about")}
      actions={<ReadAgain queries={[hosts]} />}
    >
      <Loaded query={hosts} className="h-96">
        {({ items, isComplete }) => (
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
                    title: t("frame:pages.accounts"),
                    isNumber: true,
                    cell: ({ accounts }) => formatNumber(accounts),
                  },
                  { title: t("operations:since"), cell: ({ since }) => <Time ms={since} /> },
                  {
                    title: t("operations:hosts.last"),
                    cell: ({ lastStatus, lastReason }) => (
                      <span dir="auto" className="block min-w-40 break-words">
                        {[lastStatus === null ? null : `HTTP ${lastStatus}`, lastReason]
                          .filter((part) => part !== null)
                          .join(" · ") || "–"}
                      </span>
                    ),
                  },
                ]}
              />
            )}
          </>
        )}
      </Loaded>
    </ForStaff>
  );
}
