import { useQueryClient } from "@tanstack/react-query";
import type { ListMembersAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Account, useAccount, useSession } from "../../app/session.tsx";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { roles } from "./invite-form.tsx";

type Member = ListMembersAnswer["members"][number];
const path = "/api/v1/account/members";

export function MembersTable({ members }: { members: readonly Member[] }) {
  const { t } = useTranslation(["frame", "team"]);
  const { me } = useSession();
  const { account, client } = useAccount();
  const cache = useQueryClient();
  const [gone, setGone] = useState<Member | null>(null);
  const reload = () => cache.invalidateQueries({ queryKey: [account.accountId, "members"] });
  const change = useAction(async (personId: string, role: Account["role"]) => {
    await client.request({ method: "PATCH", path, body: { personId, role } });
    toast(t("team:changed"));
    await reload();
  });
  const owners = members.filter(({ role }) => role === "owner").length;
  const isLastOwner = ({ role }: Member) => role === "owner" && owners === 1;
  return (
    <>
      {change.error !== null && <ErrorPanel error={change.error} />}
      <Table
        label={t("pages.members")}
        rows={members}
        keyOf={({ personId }) => personId}
        columns={[
          { title: t("team:name"), cell: (member) => <Name member={member} /> },
          { title: t("team:since"), cell: ({ createdAt }) => <Time ms={Date.parse(createdAt)} /> },
          {
            title: t("team:role"),
            cell: (member) => (
              <RoleSelect
                member={member}
                isFixed={isLastOwner(member) || change.isBusy}
                onChange={(role) => change.run(member.personId, role)}
              />
            ),
          },
          {
            title: <span className="sr-only">{t("team:remove")}</span>,
            cell: (member) => (
              <Button
                isSmall
                variant="danger"
                disabled={isLastOwner(member)}
                title={isLastOwner(member) ? t("team:lastOwner") : undefined}
                onClick={() => setGone(member)}
              >
                {member.personId === me.personId ? t("team:leave") : t("team:remove")}
              </Button>
            ),
          },
        ]}
      />
      {gone !== null && (
        <RemoveQuestion
          member={gone}
          onClose={() => setGone(null)}
          onConfirm={async () => {
            if (gone.personId === me.personId) {
              await post(client, `${path}/leave`);
              location.assign("/console/");
              return;
            }
            await client.request({ method: "DELETE", path, query: { personId: gone.personId } });
            toast(t("team:removed", { name: gone.name }));
            await reload();
          }}
        />
      )}
    </>
  );
}

function Name({ member }: { member: Member }) {
  const { t } = useTranslation("team");
  const { me } = useSession();
  return (
    <div className="min-w-40">
      <bdi className="font-medium">{member.name}</bdi>{" "}
      {member.personId === me.personId && <Badge tone="accent">{t("you")}</Badge>}
      <span className="block text-sm text-muted">{member.email}</span>
    </div>
  );
}

interface RoleProps {
  member: Member;
  isFixed: boolean;
  onChange(role: Account["role"]): void;
}

function RoleSelect({ member, isFixed, onChange }: RoleProps) {
  const { t } = useTranslation(["frame", "team"]);
  return (
    <select
      aria-label={t("team:changeRole", { name: member.name })}
      value={member.role}
      disabled={isFixed}
      onChange={({ target }) => onChange(target.value as Account["role"])}
      className="h-8 rounded-md border border-line-strong bg-panel px-2"
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {t(`role.${role}`)}
        </option>
      ))}
    </select>
  );
}

interface QuestionProps {
  member: Member;
  onClose(): void;
  onConfirm(): Promise<void>;
}

function RemoveQuestion({ member, onClose, onConfirm }: QuestionProps) {
  const { t } = useTranslation("team");
  const isSelf = useSession().me.personId === member.personId;
  return (
    <Confirm
      title={isSelf ? t("leaveTitle") : t("removeTitle", { name: member.name })}
      effect={isSelf ? t("leaveEffect") : t("removeEffect")}
      action={isSelf ? t("leave") : t("remove")}
      isOpen
      onClose={onClose}
      onConfirm={onConfirm}
    />
  );
}
