import type { QuoteTaskAnswer } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { formatCredits, formatNumber } from "../../lib/format.ts";

/** What the price is made of, and where the task will differ from what was asked for. */
export function PriceItems({ quote: { items, notes = [] } }: { quote: QuoteTaskAnswer }) {
  const { t } = useTranslation("playground");
  return (
    <ul className="text-sm text-muted">
      {items.map(({ item, description, quantity, creditsPerUnit, unit }) => (
        <li key={`${item} ${description}`}>
          {description}: {formatNumber(quantity)} {t(`unit.${unit}`)} ×{" "}
          {formatCredits(creditsPerUnit)}
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
