import { useTranslation } from "react-i18next";
import { Page } from "../components/panel.tsx";
import { Gallery } from "../features/gallery/gallery.tsx";

export function GalleryPage() {
  const { t } = useTranslation();
  return (
    <Page title={t("pages.gallery")}>
      <Gallery />
    </Page>
  );
}
