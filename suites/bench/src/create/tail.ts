import { percentile } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";

/** A request of a fixed plan: the time at which it was due, and the delay of its response after that. */
export interface Timed {
  dueAt: number;
  ms: number;
}

const boundsMs = [2, 4, 8, 15, 30, 60, 100, 250, Number.POSITIVE_INFINITY];
const slowMs = 100;
/** The distance in time within which a stall of both sides is attributed to the machine or the database. */
const nearMs = 250;
const alsoSlowMs = 50;

/** Prints how long creates took beside those of the bare route at the same moments. */
export function printTail(ours: readonly Timed[], bare: readonly Timed[]): void {
  print("| ms up to | createTask | bare route |");
  print("| --- | --- | --- |");
  boundsMs.forEach((bound, at) => {
    const below = boundsMs[at - 1] ?? 0;
    const countIn = (side: readonly Timed[]) =>
      side.filter(({ ms }) => ms > below && ms <= bound).length;
    print(
      `| ${bound === Number.POSITIVE_INFINITY ? "more" : bound} | ${countIn(ours)} | ${countIn(bare)} |`,
    );
  });
  for (const [name, side] of [
    ["createTask", ours],
    ["bare route", bare],
  ] as const) {
    const times = side.map(({ ms }) => ms);
    const at = (share: number) => percentile(times, share).toFixed(1);
    print(`${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, p99.9 ${at(0.999)} ms, max ${at(1)} ms`);
  }
  const slow = ours.filter(({ ms }) => ms > slowMs);
  const alone = slow.filter(
    ({ dueAt, ms }) =>
      !bare.some(
        (other) =>
          other.ms > alsoSlowMs &&
          other.dueAt < dueAt + ms + nearMs &&
          other.dueAt + other.ms > dueAt - nearMs,
      ),
  );
  print(
    `over ${slowMs} ms: ${slow.length}, of which ${alone.length} while the bare route was not slow`,
  );
}
