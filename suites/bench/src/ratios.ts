import { percentile } from "@zoetrope/testkit/percentile.ts";

/** Round by round: what else the machine did hit both sides of a ratio. */
export function ratios(rates: Map<string, number[]>, one: string, other: string): number[] {
  const others = rates.get(other) ?? [];
  return (rates.get(one) ?? []).map((rate, round) => rate / (others[round] ?? Number.NaN));
}

export function median(values: number[]): number {
  return percentile(values, 0.5);
}
