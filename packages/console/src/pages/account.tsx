import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ReadAccountAnswer } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Notice } from "../components/badge.tsx";
import { Code } from "../components/copy-button.tsx";
import { Page, Panel } from "../components/panel.tsx";
import { Time } from "../components/time.tsx";
import { AccountActions } from "../features/operations/account-actions.tsx";
import { AccountNotes } from "../features/operations/account-notes.tsx";
import { AccountPeople } from "../features/operations/account-people.tsx";
import { AccountState } from "../features/operations/accounts-table.tsx";
import { AccountLink, Facts } from "../features/operations/facts.tsx";
import { LabelAgreements } from "../features/operations/label-agreements.tsx";
import { Loaded } from "../features/operations/loaded.tsx";
import { accountQuery } from "../features/operations/queries.ts";
import { formatBytes, formatCredits, formatNumber } from "../lib/format.ts";

export function AccountPage() {
  const { t } = useTranslation();
  const { accountId } = useParams({ strict: false }) as { accountId: string };
  const account = useQuery(accountQuery(accountId));
  return (
    <Page
      title={account.data?.name ?? t("pages.account")}
      about={<Code>{accountId}</Code>}
      actions={account.data !== undefined && <AccountActions account={account.data} />}
    >
      <Loaded query={account} className="h-[40rem]">
        {(data) => (
          <>
            {data.state === "suspended" && <Suspended account={data} />}
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <Balance account={data} />
              <Limits account={data} />
              <AccountPeople account={data} />
              {data.testOf === null && <LabelAgreements account={data} />}
              <AccountNotes account={data} />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Suspended({ account: { suspendedAt, suspendedReason } }: { account: ReadAccountAnswer }) {
  const { t } = useTranslation("operations");
  return (
    <Notice tone="bad">
      {t("accounts.suspended")}
      {suspendedAt !== null && (
        <>
          {" · "}
          <Time ms={suspendedAt} />
        </>
      )}
      {" · "}
      <bdi>{suspendedReason}</bdi>
    </Notice>
  );
}

function Balance({ account }: { account: ReadAccountAnswer }) {
  const { t } = useTranslation(["operations", "frame"]);
  const { credits, availableCredits, state, testOf, testAccountId, createdAt } = account;
  return (
    <Panel title={t("operations:accounts.balance")}>
      <Facts
        facts={[
          [t("operations:accounts.balance"), formatCredits(credits)],
          [t("operations:account.held"), formatCredits(credits - availableCredits)],
          [t("operations:accounts.available"), formatCredits(availableCredits)],
          [t("operations:state"), <AccountState key="state" state={state} />],
          [t("operations:created"), <Time key="created" ms={createdAt} />],
          testOf === null
            ? [
                t("operations:account.testAccount"),
                testAccountId === null ? "–" : <AccountLink key="test" accountId={testAccountId} />,
              ]
            : [t("operations:account.testOf"), <AccountLink key="of" accountId={testOf} />],
        ]}
      />
    </Panel>
  );
}

function Limits({ account }: { account: ReadAccountAnswer }) {
  const { t } = useTranslation("operations");
  const usual = t("account.ofDeployment");
  const limit = (value: number | null) => (value === null ? usual : formatNumber(value));
  const { storedBytesMax } = account;
  return (
    <Panel title={t("account.limits")}>
      <Facts
        facts={[
          [t("account.openTasksMax"), formatNumber(account.openTasksMax)],
          [t("account.openAssetsMax"), limit(account.openAssetsMax)],
          [t("account.openUploadsMax"), limit(account.openUploadsMax)],
          [t("account.storedBytes"), formatBytes(account.storedBytes)],
          [
            t("account.storedBytesMax"),
            storedBytesMax === null ? usual : formatBytes(storedBytesMax),
          ],
          [t("account.webhookTailHours"), formatNumber(account.webhookTailHours)],
          [t("account.priceBook"), account.priceBook ?? usual],
          [t("account.testMode"), t(`account.testModes.${account.testMode}`)],
        ]}
      />
    </Panel>
  );
}
