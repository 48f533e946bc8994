import type { QuoteTaskAnswer } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { formatCredits, formatNumber } from "../../lib/format.ts";
import { modelTitle } from "../../lib/model-title.ts";

/** The items of the price, and where the task will differ from the request. */
export function PriceItems({ quote: { items, notes = [] } }: { quote: QuoteTaskAnswer }) {
  const { t } = useTranslation("playground");
  const nameOf = ({ item, description }: QuoteTaskAnswer["items"][number]): string => {
    const [first = "", ...rest] = description.split(" ");
    if (item === "inputVideo") return t("priceItem.inputVideo");
    if (item === "discount") return t("priceItem.discount");
    if (item === "upscale") return t("priceItem.upscale", { resolution: rest.at(-1) ?? "" });
    return [modelTitle(first), ...rest].join(" ");
  };
  return (
    <ul className="text-sm text-muted">
      {items.map((item) => (
        <li key={`${item.item} ${item.description}`}>
          {nameOf(item)}:{" "}
          {item.unit !== "task" && `${formatNumber(item.quantity)} ${t(`unit.${item.unit}`)} × `}
          {formatCredits(item.creditsPerUnit)}
        </li>
      ))}
      {notes.map(({ param, message }) => (
        <li key={`${param} ${message}`} className="text-warn">
          {message}
        </li>
      ))}
    </ul>
  );
}
