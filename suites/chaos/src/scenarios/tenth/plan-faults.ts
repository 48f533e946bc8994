import { createRandom } from "../../kit/random.ts";

/** Every fault that there is, and the part that it meets. */
export const deck = [
  ...(["api", "worker", "engine", "primary", "standby", "storage"] as const).flatMap((part) => [
    { kind: "kill", part } as const,
    { kind: "freeze", part } as const,
  ]),
  { kind: "partition", part: "engine" },
  { kind: "partition", part: "storage" },
  { kind: "partition", part: "database" },
  { kind: "switchover", part: "primary" },
  { kind: "slow disk", part: "primary" },
  { kind: "full disk", part: "worker" },
  { kind: "clock jump", part: "worker" },
  { kind: "slow", part: "vendor" },
  { kind: "lies", part: "vendor" },
  { kind: "storm", part: "receiver" },
] as const;

export type FaultKind = (typeof deck)[number]["kind"];
export type Part = (typeof deck)[number]["part"];

export interface PlannedFault {
  /** The number from 1; a replay names the faults that it keeps by it. */
  readonly number: number;
  readonly kind: FaultKind;
  readonly part: Part;
  /** Which of several alike, from 0 up to but not including 1. */
  readonly choice: number;
  /** After the one before it. */
  readonly afterMs: number;
  readonly lastsMs: number;
}

const between = { least: 15_000, span: 5_000 };
const lasting = { least: 4_000, span: 8_000 };

/** Plans faults that depend on the seed alone. None comes again before every other one has. */
export function* planFaults(seed: number): Generator<PlannedFault> {
  const random = createRandom(seed);
  for (let number = 1; ; )
    for (const fault of random.shuffle(deck)) {
      const choice = random.next();
      const afterMs = between.least + random.below(between.span);
      yield {
        ...fault,
        number,
        choice,
        afterMs,
        lastsMs: lasting.least + random.below(lasting.span),
      };
      number += 1;
    }
}

export function describeFault({ number, kind, part, lastsMs }: PlannedFault): string {
  return `fault ${number}: ${part}, ${kind}, ${(lastsMs / 1_000).toFixed(0)} s`;
}
