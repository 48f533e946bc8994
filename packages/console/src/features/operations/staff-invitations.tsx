import type { ListStaffAnswer } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Panel } from "../../components/panel.tsx";
import { tell } from "../../components/toasts.tsx";
import { client, queryClient } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { useIsOperator } from "./for-staff.tsx";
import { Invited, InviteForm } from "./invitations.tsx";
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
        <ul className="flex flex-col divide-y divide-line">
          {invitations.map((invitation) => (
            <Invited key={invitation.invitationId} invitation={invitation}>
              {isOperator && <Revoke invitationId={invitation.invitationId} />}
            </Invited>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

function Revoke({ invitationId }: { invitationId: string }) {
  const { t } = useTranslation("operations");
  const { run, isBusy, error } = useAction(async () => {
    await client.request({ method: "DELETE", path, query: { invitationId } });
    tell(t("staff.revoked"));
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
