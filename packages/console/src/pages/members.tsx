import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../app/session.tsx";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { Icon } from "../components/icon.tsx";
import { Page, Skeleton } from "../components/panel.tsx";
import { InvitationsTable } from "../features/team/invitations-table.tsx";
import { InviteForm } from "../features/team/invite-form.tsx";
import { MembersTable } from "../features/team/members-table.tsx";
import { invitationsQuery, membersQuery } from "../features/team/queries.ts";

export function MembersPage() {
  const { t } = useTranslation(["frame", "team"]);
  const through = useAccount();
  const members = useQuery(membersQuery(through));
  const invitations = useQuery(invitationsQuery(through));
  const [isInviting, setInviting] = useState(false);
  const error = members.error ?? invitations.error;
  const invite = (
    <Button variant="primary" onClick={() => setInviting(true)}>
      <Icon name="plus" />
      {t("team:invite")}
    </Button>
  );
  return (
    <Page title={t("pages.members")} about={t("team:membersAbout")} actions={invite}>
      {error !== null && <ErrorPanel error={error} onRetry={() => void members.refetch()} />}
      {members.isPending && <Skeleton className="h-40" />}
      {members.data !== undefined && <MembersTable members={members.data.members} />}
      {invitations.data !== undefined && invitations.data.invitations.length > 0 && (
        <>
          <h2 className="text-lg font-semibold">{t("team:invitations")}</h2>
          <InvitationsTable invitations={invitations.data.invitations} />
        </>
      )}
      <Dialog title={t("team:invite")} isOpen={isInviting} onClose={() => setInviting(false)}>
        <InviteForm onInvited={() => setInviting(false)} />
      </Dialog>
    </Page>
  );
}
