import type { ListStaffAnswer } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Notice } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Panel } from "../../components/panel.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, post, queryClient } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { CopyInvitation } from "./copy-invitation.tsx";
import { useIsOperator } from "./for-staff.tsx";
import { InviteAgain, Invited, InviteForm } from "./invitations.tsx";
import { admin, staffQuery } from "./queries.ts";
import { staffRoles } from "./staff-table.tsx";

const path = `${admin}/staff/invitations`;
const reread = () => queryClient.invalidateQueries({ queryKey: staffQuery.queryKey });

interface Props {
  invitations: ListStaffAnswer["invitations"];
}

export function StaffInvitations({ invitations }: Props) {
  const { t } = useTranslation("operations");
  const isOperator = useIsOperator();
  return (
    <Panel title={t("staff.invitations")}>
      <div className="flex flex-col gap-4">
        {isOperator && (
          <InviteForm
            path={path}
            roles={staffRoles}
            firstRole="support"
            helpOf={(role) => t(`staff.may.${role}`)}
            onInvited={reread}
          />
        )}
        {invitations.length === 0 && <p className="text-muted">{t("staff.noInvitations")}</p>}
        {invitations.some(({ mail }) => mail === "off") && (
          <Notice tone="warn">{t("staff.mailOff")}</Notice>
        )}
        <ul className="flex flex-col divide-y divide-line">
          {invitations.map((invitation) => (
            <Invited key={invitation.invitationId} invitation={invitation}>
              {invitation.awaitsApproval && <span>{t("staff.awaitsApproval")}</span>}
              {isOperator && invitation.awaitsApproval && <Approve invitation={invitation} />}
              {isOperator && !invitation.awaitsApproval && (
                <InviteAgain
                  path={path}
                  body={{ email: invitation.email, role: invitation.role }}
                  invitation={invitation}
                  onInvited={reread}
                />
              )}
              {isOperator && <Revoke invitationId={invitation.invitationId} />}
            </Invited>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

interface ApproveProps {
  invitation: ListStaffAnswer["invitations"][number];
}

/** Approves an invitation. Where no mail server is set, the approver gets the link. */
function Approve({ invitation: { invitationId, email, mail } }: ApproveProps) {
  const { t } = useTranslation("operations");
  const { run, isBusy, error } = useAction(async () => {
    await post(client, `${path}/approve`, { invitationId });
    toast(t("staff.approved"));
    await reread();
  });
  if (mail === "off")
    return (
      <CopyInvitation
        path={`${path}/approve`}
        body={{ invitationId }}
        email={email}
        label={t("staff.approve")}
        onInvited={reread}
      />
    );
  return (
    <>
      <Button isSmall isBusy={isBusy} onClick={() => run()}>
        {t("staff.approve")}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}

function Revoke({ invitationId }: { invitationId: string }) {
  const { t } = useTranslation("operations");
  const { run, isBusy, error } = useAction(async () => {
    await client.request({ method: "DELETE", path, query: { invitationId } });
    toast(t("staff.revoked"));
    await reread();
  });
  return (
    <>
      <Button isSmall isBusy={isBusy} onClick={() => run()}>
        {t("staff.revoke")}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}
