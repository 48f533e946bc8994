import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../app/session.tsx";
import { Empty, Page } from "../../components/panel.tsx";

/** Support reads and changes nothing. */
export function useIsOperator(): boolean {
  return useSession().me.staffRole === "operator";
}

interface Props {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page that only operators and support open. */
export function ForStaff({ title, about, actions, children }: Props) {
  const { t } = useTranslation();
  const { staffRole } = useSession().me;
  if (staffRole !== "operator" && staffRole !== "support")
    return (
      <Page title={title}>
        <Empty title={t("error.noAccess")} />
      </Page>
    );
  return (
    <Page title={title} about={about} actions={actions}>
      {children}
    </Page>
  );
}
