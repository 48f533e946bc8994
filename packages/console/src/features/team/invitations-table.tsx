import { useQueryClient } from "@tanstack/react-query";
import type { InviteMemberAnswer, ListInvitationsAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Notice } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { MailBadge } from "../../components/mail-badge.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";

type Invitation = ListInvitationsAnswer["invitations"][number];

/** Inviting again without a mail would end a link that an operator handed over. */
const isMailed = ({ mail }: Invitation) => mail !== "off" && mail !== "link";

export function InvitationsTable({ invitations }: { invitations: readonly Invitation[] }) {
  const { t } = useTranslation(["frame", "team"]);
  const { account, client } = useAccount();
  const cache = useQueryClient();
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const again = useAction(async ({ email, role }: Invitation) => {
    const path = "/api/v1/account/invitations";
    const { mail } = await post<InviteMemberAnswer>(client, path, { email, role });
    toast(t(mail === "off" ? "team:notMailed" : "team:invited"));
    await cache.invalidateQueries({ queryKey: [account.accountId, "invitations"] });
  });
  const isOff = invitations.some(({ mail }) => mail === "off");
  return (
    <>
      {isOff && <Notice tone="warn">{t("team:noMail")}</Notice>}
      {again.error !== null && <ErrorPanel error={again.error} />}
      <Table
        label={t("team:invitations")}
        rows={invitations}
        keyOf={({ invitationId }) => invitationId}
        columns={[
          { title: t("team:email"), cell: ({ email }) => email },
          { title: t("team:role"), cell: ({ role }) => t(`role.${role}`), isShort: true },
          {
            title: t("team:invitedBy"),
            cell: ({ expiresAt }) => <Time ms={Date.parse(expiresAt)} />,
          },
          { title: t("mail.title"), cell: ({ mail }) => <MailBadge mail={mail} /> },
          {
            title: <span className="sr-only">{t("team:revoke")}</span>,
            cell: (invitation) => (
              <div className="flex flex-wrap justify-end gap-2">
                {isMailed(invitation) && (
                  <Button
                    isSmall
                    isBusy={again.isBusy}
                    aria-label={t("mail.againTo", { email: invitation.email })}
                    onClick={() => again.run(invitation)}
                  >
                    {t("mail.again")}
                  </Button>
                )}
                <Button isSmall onClick={() => setRevoked(invitation)}>
                  {t("team:revoke")}
                </Button>
              </div>
            ),
          },
        ]}
      />
      <Confirm
        title={t("team:revokeTitle", { email: revoked?.email ?? "" })}
        effect={t("team:revokeEffect")}
        action={t("team:revoke")}
        isOpen={revoked !== null}
        onClose={() => setRevoked(null)}
        onConfirm={async () => {
          const query = { invitationId: revoked?.invitationId };
          await client.request({ method: "DELETE", path: "/api/v1/account/invitations", query });
          await cache.invalidateQueries({ queryKey: [account.accountId, "invitations"] });
        }}
      />
    </>
  );
}
