import type { UsageItem } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { dates } from "../../lib/format.ts";
import { modelTitle } from "../../lib/model-title.ts";
import type { Interval } from "./queries.ts";

const styles: Record<Interval, Intl.DateTimeFormatOptions> = {
  hour: { dateStyle: "medium", timeStyle: "short" },
  day: { dateStyle: "medium" },
  month: { year: "numeric", month: "long" },
};

/** Days and months of the usage are those of UTC. */
export function intervalName(start: number, by: Interval): string {
  const zone = by === "hour" ? {} : { timeZone: "UTC" };
  return dates(`usage by ${by}`, { ...styles[by], ...zone }).format(start);
}

/** The model, the key's name or the outcome. Tasks without a key were made in the console. */
export function useValueName(): (item: Pick<UsageItem, "value" | "name">) => string {
  const { t } = useTranslation("money");
  const outcomes: Record<string, string> = { COMPLETED: t("completed"), FAILED: t("failed") };
  return ({ value, name }) =>
    name ?? (value === null ? t("console") : (outcomes[value] ?? modelTitle(value)));
}
