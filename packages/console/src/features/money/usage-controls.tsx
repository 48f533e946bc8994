import { useTranslation } from "react-i18next";
import { SelectField } from "../../components/field.tsx";
import { groups, intervals } from "./queries.ts";

/** The default filters in the URL. */
export const usageDefaults = { by: "day", group: "model", days: "30", view: "chart" };
type Filters = typeof usageDefaults;

/** The periods in days by interval: those that the service returns in one response. */
const periods: Record<string, readonly number[]> = {
  hour: [1, 7, 31],
  day: [7, 30, 90, 365],
  month: [365, 730],
};

interface Props {
  filters: Filters;
  onChange(change: Partial<Filters>): void;
}

export function UsageControls({ filters, onChange }: Props) {
  const { t } = useTranslation("money");
  const { by, group, days, view } = filters;
  const offered = periods[by] ?? [30];
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
      <SelectField
        label={t("by.label")}
        value={by}
        onChange={({ target }) =>
          onChange({ by: target.value, days: String(periods[target.value]?.[1] ?? 30) })
        }
      >
        {intervals.map((one) => (
          <option key={one} value={one}>
            {t(`by.${one}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("group.label")}
        value={group}
        onChange={({ target }) => onChange({ group: target.value })}
      >
        {groups.map((one) => (
          <option key={one} value={one}>
            {t(`group.${one}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("period.label")}
        value={days}
        onChange={({ target }) => onChange({ days: target.value })}
      >
        {offered.map((one) => (
          <option key={one} value={String(one)}>
            {one === 1 ? t("period.hours", { count: 24 }) : t("period.days", { count: one })}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("view")}
        value={view}
        onChange={({ target }) => onChange({ view: target.value })}
      >
        <option value="chart">{t("chart")}</option>
        <option value="table">{t("table")}</option>
      </SelectField>
    </div>
  );
}
