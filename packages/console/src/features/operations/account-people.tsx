import type { ReadAccountAnswer } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Notice } from "../../components/badge.tsx";
import { Panel } from "../../components/panel.tsx";
import { queryClient } from "../../lib/client.ts";
import { useIsOperator } from "./for-staff.tsx";
import { InviteAgain, Invited, InviteForm, Person } from "./invitations.tsx";
import { accountQuery, admin } from "./queries.ts";

const roles = ["owner", "developer", "viewer"] as const;

export function AccountPeople({ account }: { account: ReadAccountAnswer }) {
  const { t } = useTranslation("operations");
  const isOperator = useIsOperator();
  const { accountId, members, invitations, testOf, state } = account;
  const hasOwner = members.some(({ role }) => role === "owner");
  const isOwnerInvited = invitations.some(({ role }) => role === "owner");
  const mayInvite = isOperator && testOf === null && state !== "closed";
  const isOff = invitations.some(({ mail }) => mail === "off");
  const path = `${admin}/accounts/invitations`;
  const reread = () =>
    queryClient.invalidateQueries({ queryKey: accountQuery(accountId).queryKey });
  return (
    <Panel title={t("account.people")}>
      <div className="flex flex-col gap-3">
        {!hasOwner && (
          <Notice tone={isOwnerInvited ? "neutral" : "warn"}>
            {t(isOwnerInvited ? "account.ownerInvited" : "account.noOwner")}
          </Notice>
        )}
        {isOff && <Notice tone="warn">{t("account.mailOff")}</Notice>}
        <ul className="flex flex-col divide-y divide-line">
          {members.map(({ personId, name, email, role }) => (
            <Person key={personId} name={name} about={email} role={role} />
          ))}
          {invitations.map((invitation) => (
            <Invited key={invitation.invitationId} invitation={invitation}>
              {mayInvite && (
                <InviteAgain
                  path={path}
                  body={{ accountId, email: invitation.email, role: invitation.role }}
                  invitation={invitation}
                  onInvited={reread}
                />
              )}
            </Invited>
          ))}
        </ul>
        {mayInvite && (
          <InviteForm
            key={accountId}
            path={path}
            given={{ accountId }}
            roles={roles}
            firstRole={hasOwner ? "developer" : "owner"}
            helpOf={() => t("account.inviteHelp")}
            onInvited={reread}
          />
        )}
      </div>
    </Panel>
  );
}
