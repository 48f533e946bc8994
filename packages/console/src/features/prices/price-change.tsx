import { classNames } from "../../components/class-names.ts";
import { formatNumber } from "../../lib/format.ts";

interface Props {
  /** Null: not for sale. */
  before: number | null;
  after: number | null;
}

/** By how much a rate changes, in a colour and with its sign. */
export function PriceChange({ before, after }: Props) {
  if (before === after) return <span className="text-muted">–</span>;
  const isHigher = after !== null && (before === null || after > before);
  return (
    <span className={classNames("font-medium", isHigher ? "text-warn" : "text-good")}>
      {before === null || after === null ? "±" : percentOf(before, after)}
    </span>
  );
}

function percentOf(before: number, after: number): string {
  const percent = Math.round(((after - before) * 1_000) / before) / 10;
  return `${percent > 0 ? "+" : ""}${formatNumber(percent)} %`;
}
