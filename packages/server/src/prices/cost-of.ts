import type { CostFacts, CostSource } from "../db/tables/tasks.ts";
import type { Usage } from "../vendors/read-usage.ts";
import type { CostDocument, UnitRate } from "./cost-document.ts";

/** What is known of a submit when its cost is computed. */
export interface CostedSubmit {
  /** The vendor's name of the model. */
  model: string;
  facts: CostFacts;
  /** `unknown`: it is not over, or nobody knows how it ended. */
  end: "succeeded" | "failed" | "unknown";
}

export interface Cost {
  /** By the vendor's names, as exact decimals. */
  units: Usage;
  /** Millionths of the smallest unit of the currency; null: nobody knows. */
  micros: bigint | null;
  currency: string;
  source: CostSource;
}

/** Above this a report is wrong: no submit costs a thousand million of the smallest unit. */
const microsMax = 10n ** 15n;
const fractionDigits = 12;
const one = 10n ** BigInt(fractionDigits);

/**
 * Returns what a submit has cost. Pure and exact: integers only, each unit rounded once to the nearest millionth.
 * Usage that is missing or makes no sense is estimated where the document says how.
 */
export function costOf(
  usage: Usage | null,
  { model, facts, end }: CostedSubmit,
  { currency, models }: CostDocument,
): Cost {
  const unknown: Cost = { units: {}, micros: null, currency, source: "unknown" };
  const costs = memberOf(models, model);
  const rates = memberOf(costs?.rates, facts.key) ?? memberOf(costs?.rates, "*");
  if (costs === undefined || rates === undefined) return unknown;
  if (end === "failed" && costs.failed === "free")
    return { units: {}, micros: 0n, currency, source: "free" };
  const isAsReported = end === "failed" && costs.failed === "reported";
  const reported = end === "unknown" ? null : usage;
  const amounts = rates.map((rate) => amountOf(rate, reported, facts, { isAsReported }));
  const units = Object.fromEntries(
    amounts.flatMap(({ unit, count }) => (count === null ? [] : [[unit, render(count)]])),
  );
  const micros = sumOf(amounts);
  if (micros === null || micros > microsMax) return { ...unknown, units };
  if (end === "unknown") return { units, micros, currency, source: "unknown" };
  const isReported = amounts.every((amount) => amount.isReported);
  return { units, micros, currency, source: isReported ? "reported" : "estimated" };
}

interface Amount {
  unit: string;
  /** In units of `one`; null: nobody knows. */
  count: bigint | null;
  rate: bigint;
  isReported: boolean;
}

function amountOf(
  { unit, rate, minimum, isOptional, estimate }: UnitRate,
  usage: Usage | null,
  { seconds, inputSeconds, images }: CostFacts,
  { isAsReported }: { isAsReported: boolean },
): Amount {
  const told = memberOf(usage ?? undefined, unit);
  const of = { unit, rate: BigInt(rate) };
  if (told === undefined && usage !== null && isOptional)
    return { ...of, count: 0n, isReported: true };
  const least = minimum === undefined || isAsReported ? 0n : parse(minimum);
  if (told !== undefined) return { ...of, count: larger(parse(told), least), isReported: true };
  if (estimate === undefined || isAsReported) return { ...of, count: null, isReported: false };
  const estimated =
    parse(estimate.perSecond ?? "0") * BigInt(seconds) +
    parse(estimate.perInputSecond ?? "0") * BigInt(inputSeconds) +
    parse(estimate.perImage ?? "0") * BigInt(images);
  return { ...of, count: larger(estimated, least), isReported: false };
}

/** Null if one of the amounts is not known. */
function sumOf(amounts: readonly Amount[]): bigint | null {
  let sum = 0n;
  for (const { count, rate } of amounts) {
    if (count === null) return null;
    sum += (2n * count * rate + one) / (2n * one); // to the nearest
  }
  return sum;
}

/** An exact decimal in units of `one`. */
function parse(text: string): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(fractionDigits, "0"));
}

function render(count: bigint): string {
  const fraction = String(count % one)
    .padStart(fractionDigits, "0")
    .replace(/0+$/, "");
  return `${count / one}${fraction === "" ? "" : `.${fraction}`}`;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Names come from outside: one like `constructor` names nothing. */
function memberOf<Value>(all: Readonly<Record<string, Value>> | undefined, name: string) {
  return all !== undefined && Object.hasOwn(all, name) ? all[name] : undefined;
}
