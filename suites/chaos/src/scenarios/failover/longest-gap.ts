export interface Span {
  fromMs: number;
  toMs: number;
}

/**
 * Returns the longest time within a span in which nobody's create was accepted, as clients saw it.
 * A gap that the end of the span cuts off counts until there.
 */
export function longestGapMs(acceptedAt: readonly number[], { fromMs, toMs }: Span): number {
  const times = [...acceptedAt].sort((a, b) => a - b);
  const before = times.findLast((at) => at <= fromMs) ?? fromMs;
  const within = times.filter((at) => at > fromMs && at < toMs);
  const after = times.find((at) => at >= toMs) ?? toMs;
  const edges = [before, ...within, after];
  return Math.max(...edges.slice(1).map((at, index) => at - (edges[index] ?? at)));
}
