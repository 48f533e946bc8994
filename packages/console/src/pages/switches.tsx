import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Page } from "../components/panel.tsx";
import { BannerPanel } from "../features/operations/banner-form.tsx";
import { Loaded } from "../features/operations/loaded.tsx";
import { ModelsTable } from "../features/operations/models-table.tsx";
import { switchesQuery } from "../features/operations/queries.ts";

export function SwitchesPage() {
  const { t } = useTranslation(["operations", "frame"]);
  const switches = useQuery(switchesQuery);
  return (
    <Page title={t("frame:pages.switches")}>
      <Loaded query={switches} className="h-[40rem]">
        {({ banner, models }) => (
          <>
            <BannerPanel banner={banner} />
            <h2 className="text-lg font-semibold">{t("operations:models.title")}</h2>
            <p className="text-muted">{t("operations:models.about")}</p>
            <ModelsTable models={models} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
