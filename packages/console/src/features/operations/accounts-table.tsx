import type { StaffAccount } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { formatCredits, formatNumber } from "../../lib/format.ts";
import { AccountLink } from "./facts.tsx";

export function AccountState({ state }: { state: StaffAccount["state"] }) {
  const { t } = useTranslation("operations");
  return <Badge tone={state === "active" ? "neutral" : "bad"}>{t(`accounts.${state}`)}</Badge>;
}

export function AccountsTable({ accounts }: { accounts: readonly StaffAccount[] }) {
  const { t } = useTranslation(["operations", "frame"]);
  return (
    <Table
      label={t("frame:pages.accounts")}
      rows={accounts}
      keyOf={({ accountId }) => accountId}
      columns={[
        {
          title: t("operations:accounts.name"),
          cell: ({ accountId, name, testOf }) => (
            <span className="flex max-w-80 min-w-40 flex-wrap items-center gap-2 break-words">
              <AccountLink accountId={accountId} name={name} />
              {testOf !== null && <Badge>{t("frame:test")}</Badge>}
            </span>
          ),
        },
        { title: t("operations:state"), cell: ({ state }) => <AccountState state={state} /> },
        {
          title: t("operations:accounts.balance"),
          isNumber: true,
          cell: ({ credits }) => formatCredits(credits),
        },
        {
          title: t("operations:accounts.available"),
          isNumber: true,
          cell: ({ availableCredits }) => formatCredits(availableCredits),
        },
        {
          title: t("operations:accounts.openTasksMax"),
          isNumber: true,
          cell: ({ openTasksMax }) => formatNumber(openTasksMax),
        },
        { title: t("operations:created"), cell: ({ createdAt }) => <Time ms={createdAt} /> },
      ]}
    />
  );
}
