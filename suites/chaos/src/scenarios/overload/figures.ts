import type { SegmentReport, Window } from "./generator/messages.ts";

/** Jain's index: 1 when all have the same, 1/n when one has everything. */
export function jainOf(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  const squares = shares.reduce((total, share) => total + share * share, 0);
  return squares === 0 ? 0 : (sum * sum) / (shares.length * squares);
}

/**
 * Seconds after the overload until one passes in which nothing is refused and the p99 of creates is at
 * most twice what it was before.
 */
export function recoverySecondsOf(after: readonly Window[], beforeP99Ms: number): number {
  const index = after.findIndex(
    ({ accepted, refused, acceptedP99Ms }) =>
      accepted > 0 && refused === 0 && acceptedP99Ms <= 2 * beforeP99Ms,
  );
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}

export interface Figures {
  /** Accepted creates a second, in a closed loop: before the overload, and after it. */
  capacity: { before: number; after: number };
  before: SegmentReport;
  overload: SegmentReport;
  after: SegmentReport;
  overloadSeconds: number;
  /** The memory of the api, second by second during the overload. */
  residentMb: readonly number[];
  lost: number;
  violations: number;
}

const goodputPercentMin = 90;
const recoverySecondsMax = 10;
const jainMin = 0.95;
/**
 * The maximum growth from the first to the last third of the overload: what grows without a bound
 * grows more.
 */
const memoryGrowthMax = 1.25;
/** A shorter run ends while the process still warms up. */
const memoryJudgedFromSeconds = 120;

/**
 * Returns the faults that fail the run, and the last line. Everything is compared with figures of
 * the same run.
 */
export function judgeFigures(figures: Figures): { faults: string[]; lastLine: string } {
  const { capacity, before, overload, after, lost, violations } = figures;
  const goodputPercent = (100 * overload.accepted) / figures.overloadSeconds / capacity.before;
  const recoverySeconds = recoverySecondsOf(after.windows, before.acceptedMs.p99);
  const jain = jainOf(overload.acceptedByAccount);
  const segments = { before, overload, after };
  const wrong = Object.entries(segments).flatMap(([name, { answers }]) =>
    Object.entries(answers)
      .filter(([what]) => what !== "200" && !allowedRefusals.has(what))
      .map(([what, count]) => `${count} answers "${what}" in the segment ${name}`),
  );
  const faults = [
    ...wrong,
    ...Object.entries(segments).flatMap(([name, { readsWrong }]) =>
      Object.entries(readsWrong).map(
        ([what, count]) => `${count} queries were answered "${what}" in the segment ${name}`,
      ),
    ),
    ...(overload.refusedMs.count > 0 ? [] : ["nothing was refused: this was no overload"]),
    ...(overload.refusedMs.p99 <= overload.acceptedMs.p99
      ? []
      : ["refusals came later than acceptances"]),
    ...(goodputPercent >= goodputPercentMin ? [] : [`goodput below ${goodputPercentMin} %`]),
    ...(recoverySeconds <= recoverySecondsMax ? [] : ["creates stayed slow after the overload"]),
    ...(jain >= jainMin ? [] : ["accounts were not treated alike"]),
    ...(isMemoryBounded(figures) ? [] : ["the memory of the api grew during the overload"]),
    ...(lost === 0 ? [] : [`${lost} accepted tasks were lost`]),
    ...(violations === 0 ? [] : [`${violations} violations`]),
  ];
  const lastLine = [
    `capacity_per_s=${capacity.before.toFixed(0)}`,
    `goodput_pct=${goodputPercent.toFixed(0)}`,
    `refused_p99_ms=${overload.refusedMs.p99}`,
    `recovery_s=${recoverySeconds}`,
    `jain=${jain.toFixed(3)}`,
    `lost=${lost}`,
  ].join(" ");
  return { faults, lastLine };
}

/** The refusals allowed with a `Retry-After`, without which the generator reports them as wrong. */
const allowedRefusals = new Set(["503 service_unavailable", "503 account_busy"]);

function isMemoryBounded({ residentMb, overloadSeconds }: Figures): boolean {
  if (overloadSeconds < memoryJudgedFromSeconds) return true;
  const third = Math.floor(residentMb.length / 3);
  const most = (samples: readonly number[]) => Math.max(...samples);
  return most(residentMb.slice(-third)) <= memoryGrowthMax * most(residentMb.slice(0, third));
}
