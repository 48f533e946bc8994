import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Page } from "../components/panel.tsx";
import { Loaded } from "../features/operations/loaded.tsx";
import { staffQuery } from "../features/operations/queries.ts";
import { StaffInvitations } from "../features/operations/staff-invitations.tsx";
import { StaffTable } from "../features/operations/staff-table.tsx";

export function StaffPage() {
  const { t } = useTranslation("frame");
  const staff = useQuery(staffQuery);
  return (
    <Page title={t("pages.staff")}>
      <Loaded query={staff} className="h-96">
        {(data) => (
          <>
            <StaffTable staff={data.staff} />
            <StaffInvitations invitations={data.invitations} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
