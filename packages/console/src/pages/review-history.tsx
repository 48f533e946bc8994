import { useTranslation } from "react-i18next";
import { Page } from "../components/panel.tsx";
import { Tabs } from "../components/tabs.tsx";
import { HistoryTable } from "../features/review/history-table.tsx";
import { useFilters } from "../lib/filters.ts";

const defaults = { of: "mine" };
const choices = ["mine", "all"] as const;

export function ReviewHistoryPage() {
  const { t } = useTranslation(["review", "frame"]);
  const [{ of }, change] = useFilters(defaults);
  const value = of === "all" ? "all" : "mine";
  return (
    <Page title={t("frame:pages.reviewHistory")} about={t("historyAbout")}>
      <Tabs
        label={t("historyOf")}
        value={value}
        onChange={(next) => change({ of: next })}
        tabs={choices.map((choice) => ({ value: choice, label: t(`historyTab.${choice}`) }))}
      >
        <div className="flex flex-col gap-4">
          <HistoryTable isMine={value === "mine"} />
        </div>
      </Tabs>
    </Page>
  );
}
