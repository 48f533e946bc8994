import { useTranslation } from "react-i18next";
import { Page } from "../components/panel.tsx";
import { ReviewWorkspace } from "../features/review/review-workspace.tsx";

export function ReviewPage() {
  const { t } = useTranslation();
  return (
    <Page title={t("pages.queue")}>
      <ReviewWorkspace />
    </Page>
  );
}
