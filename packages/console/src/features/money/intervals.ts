import type { Interval } from "./queries.ts";

const hourMs = 3_600_000;

/** The beginnings of all intervals of the last days, the oldest first, as the service counts them: in UTC. */
export function intervalsOf(by: Interval, days: number, now: number): number[] {
  const from = now - days * 24 * hourMs;
  if (by === "month") return monthsOf(new Date(from), now);
  const step = by === "hour" ? hourMs : 24 * hourMs;
  const first = Math.floor(from / step);
  const count = Math.floor(now / step) - first + 1;
  return Array.from({ length: count }, (_, at) => (first + at) * step);
}

function monthsOf(from: Date, now: number): number[] {
  const starts: number[] = [];
  for (let at = 0, start = 0; start <= now; at++) {
    start = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + at);
    if (start <= now) starts.push(start);
  }
  return starts;
}
