import { useQueryClient } from "@tanstack/react-query";
import type { ListInvitationsAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";

type Invitation = ListInvitationsAnswer["invitations"][number];

export function InvitationsTable({ invitations }: { invitations: readonly Invitation[] }) {
  const { t } = useTranslation(["frame", "team"]);
  const { account, client } = useAccount();
  const cache = useQueryClient();
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  return (
    <>
      <Table
        label={t("team:invitations")}
        rows={invitations}
        keyOf={({ invitationId }) => invitationId}
        columns={[
          { title: t("team:email"), cell: ({ email }) => email },
          { title: t("team:role"), cell: ({ role }) => t(`role.${role}`) },
          {
            title: t("team:invitedBy"),
            cell: ({ expiresAt }) => <Time ms={Date.parse(expiresAt)} />,
          },
          {
            title: <span className="sr-only">{t("team:revoke")}</span>,
            cell: (invitation) => (
              <Button isSmall onClick={() => setRevoked(invitation)}>
                {t("team:revoke")}
              </Button>
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
