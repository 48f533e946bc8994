import { useTranslation } from "react-i18next";
import { Panel } from "../../components/panel.tsx";
import { formatCredits, formatNumber } from "../../lib/format.ts";
import { factsOf, type Task } from "../gallery/item.ts";
import type { TaskRequest } from "./use-task.ts";

/** The price of the task and its items. */
export function PricePanel({ task, request }: { task: Task; request: TaskRequest | undefined }) {
  const { t } = useTranslation("gallery");
  const { status } = factsOf(task);
  const state = { COMPLETED: "charged", FAILED: "released" }[status as string] ?? "held";
  const items = status === "FAILED" ? null : (request?.items ?? null); // they would add up to what it did not cost
  return (
    <Panel title={t("price.title")}>
      <p className="text-2xl font-semibold">
        {t("credits", { credits: formatCredits(task.credits) })}
      </p>
      <p className="mb-3 text-muted">{t(`price.state.${state as "held"}`)}</p>
      {request?.items === null && status !== "FAILED" && (
        <p className="text-sm text-muted">{t("price.unknown")}</p>
      )}
      {items !== null && (
        <table className="w-full text-sm">
          <caption className="sr-only">{t("price.items")}</caption>
          <thead className="text-muted">
            <tr>
              <th scope="col" className="py-1 text-left font-medium">
                {t("price.item")}
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                {t("price.quantity")}
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                {t("price.each")}
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                {t("price.credits")}
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ item, unit, quantity, creditsPerUnit, credits }) => (
              <tr key={item} className="border-t border-line">
                <td className="py-1">{t(`price.names.${item}`)}</td>
                <td className="py-1 text-right">
                  {unit === "second"
                    ? t("inputs.seconds", { seconds: formatNumber(quantity) })
                    : formatNumber(quantity)}
                </td>
                <td className="py-1 text-right">{formatCredits(creditsPerUnit)}</td>
                <td className="py-1 text-right">{formatCredits(credits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
