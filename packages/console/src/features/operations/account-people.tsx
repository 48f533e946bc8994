import type { ReadAccountAnswer } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Notice } from "../../components/badge.tsx";
import { Panel } from "../../components/panel.tsx";
import { queryClient } from "../../lib/client.ts";
import { useIsOperator } from "./for-staff.tsx";
import { Invited, InviteForm, Person } from "./invitations.tsx";
import { accountQuery, admin } from "./queries.ts";

const roles = ["owner", "developer", "viewer"] as const;

export function AccountPeople({ account }: { account: ReadAccountAnswer }) {
  const { t } = useTranslation("operations");
  const isOperator = useIsOperator();
  const { accountId, members, invitations, testOf, state } = account;
  const hasOwner = members.some(({ role }) => role === "owner");
  return (
    <Panel title={t("account.people")}>
      <div className="flex flex-col gap-3">
        {!hasOwner && <Notice tone="warn">{t("account.noOwner")}</Notice>}
        <ul className="flex flex-col divide-y divide-line">
          {members.map(({ personId, name, email, role }) => (
            <Person key={personId} name={name} about={email} role={role} />
          ))}
          {invitations.map((invitation) => (
            <Invited key={invitation.invitationId} invitation={invitation} />
          ))}
        </ul>
        {isOperator && testOf === null && state !== "closed" && (
          <InviteForm
            key={accountId}
            path={`${admin}/accounts/invitations`}
            given={{ accountId }}
            roles={roles}
            firstRole={hasOwner ? "developer" : "owner"}
            helpOf={() => t("account.inviteHelp", { accountId })}
            onInvited={() =>
              queryClient.invalidateQueries({ queryKey: accountQuery(accountId).queryKey })
            }
          />
        )}
      </div>
    </Panel>
  );
}
