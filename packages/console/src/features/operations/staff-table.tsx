import type { ListStaffAnswer } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../app/session.tsx";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, queryClient } from "../../lib/client.ts";
import { useIsOperator } from "./for-staff.tsx";
import { admin, staffQuery } from "./queries.ts";

export type StaffMember = ListStaffAnswer["staff"][number];
export type StaffRole = StaffMember["role"];
export const staffRoles: readonly StaffRole[] = ["operator", "support", "reviewer"];

const reread = () => queryClient.invalidateQueries({ queryKey: staffQuery.queryKey });

export function StaffTable({ staff }: { staff: readonly StaffMember[] }) {
  const { t } = useTranslation(["operations", "frame"]);
  const { me } = useSession();
  const isOperator = useIsOperator();
  return (
    <Table
      label={t("frame:pages.staff")}
      rows={staff}
      keyOf={({ personId }) => personId}
      columns={[
        {
          title: t("operations:staff.name"),
          cell: ({ name, email, personId }) => (
            <span className="block min-w-40 break-words">
              <bdi className="font-medium">{name}</bdi>{" "}
              {personId === me.personId && <Badge>{t("operations:staff.you")}</Badge>}
              <span className="block text-sm text-muted">{email}</span>
            </span>
          ),
        },
        { title: t("operations:role"), cell: ({ role }) => t(`frame:role.${role}`) },
        {
          title: t("operations:staff.since"),
          cell: ({ createdAt }) => <Time ms={Date.parse(createdAt)} />,
        },
        ...(isOperator
          ? [
              {
                title: t("operations:actions"),
                cell: (member: StaffMember) =>
                  member.personId === me.personId ? "–" : <MemberActions member={member} />,
              },
            ]
          : []),
      ]}
    />
  );
}

/** Nobody takes the own role away by accident: another operator can. */
function MemberActions({ member: { personId, name, role } }: { member: StaffMember }) {
  const { t } = useTranslation(["operations", "frame"]);
  const [next, setNext] = useState<StaffRole | "removed" | null>(null);
  const close = () => setNext(null);
  const isRemoval = next === "removed";
  return (
    <div className="flex flex-wrap gap-2">
      <select
        aria-label={t("operations:staff.roleOf", { name })}
        value={role}
        onChange={(event) => setNext(event.target.value as StaffRole)}
        className="h-7 rounded-md border border-line-strong bg-panel px-1 text-sm"
      >
        {staffRoles.map((one) => (
          <option key={one} value={one}>
            {t(`frame:role.${one}`)}
          </option>
        ))}
      </select>
      <Button isSmall variant="danger" onClick={() => setNext("removed")}>
        {t("operations:staff.remove")}
      </Button>
      <Confirm
        title={t(isRemoval ? "operations:staff.removeTitle" : "operations:staff.changeTitle", {
          name,
        })}
        effect={
          isRemoval || next === null
            ? t("operations:staff.removeEffect")
            : t("operations:staff.changeEffect", {
                from: t(`frame:role.${role}`),
                to: t(`frame:role.${next}`),
              })
        }
        action={t(isRemoval ? "operations:staff.remove" : "operations:staff.change")}
        variant={isRemoval ? "danger" : "primary"}
        isOpen={next !== null}
        onClose={close}
        onConfirm={async () => {
          const path = `${admin}/staff`;
          await client.request(
            isRemoval
              ? { method: "DELETE", path, query: { personId } }
              : { method: "PATCH", path, body: { personId, role: next } },
          );
          toast(t("frame:saved"));
          await reread();
        }}
      />
    </div>
  );
}
