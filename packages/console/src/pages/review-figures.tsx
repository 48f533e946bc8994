import { useTranslation } from "react-i18next";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { Page } from "../components/panel.tsx";
import { FiguresView } from "../features/review/figures-view.tsx";
import { useFilters } from "../lib/filters.ts";

const defaults = { from: "", to: "", reviewer: "" };
const day = /^\d{4}-\d{2}-\d{2}$/;

export function ReviewFiguresPage() {
  const { t } = useTranslation(["review", "frame"]);
  const [filters, change] = useFilters(defaults);
  const from = day.test(filters.from) ? filters.from : "";
  const to = day.test(filters.to) ? filters.to : "";
  return (
    <Page title={t("frame:pages.figures")} about={t("figuresAbout")}>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label={t("from")}
          type="date"
          value={from}
          onChange={(event) => change({ from: event.target.value }, { replace: true })}
        />
        <TextField
          label={t("to")}
          type="date"
          value={to}
          onChange={(event) => change({ to: event.target.value }, { replace: true })}
        />
        {filters.reviewer !== "" && (
          <Button onClick={() => change({ reviewer: "" })}>{t("allReviewers")}</Button>
        )}
      </div>
      <FiguresView
        {...{ from, to, reviewer: filters.reviewer }}
        onReviewer={(reviewer) => change({ reviewer })}
      />
    </Page>
  );
}
