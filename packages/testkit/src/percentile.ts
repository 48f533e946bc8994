/** The value that this share of the values does not exceed. */
export function percentile(values: Iterable<number>, share: number): number {
  const sorted = Array.from(values).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export interface Spread {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

/** Returns the percentiles of durations, in whole milliseconds. */
export function spreadOf(values: readonly number[]): Spread {
  const at = (share: number) => Math.round(percentile(values, share));
  return { count: values.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

export function formatSpread({ count, p50, p99, max }: Spread): string {
  return `p50 ${p50} ms, p99 ${p99} ms, max ${max} ms (${count})`;
}
