import { useTranslation } from "react-i18next";
import { Page } from "../components/panel.tsx";
import { Desk } from "../features/review/desk.tsx";

export function ReviewPage() {
  const { t } = useTranslation();
  return (
    <Page title={t("pages.queue")}>
      <Desk />
    </Page>
  );
}
