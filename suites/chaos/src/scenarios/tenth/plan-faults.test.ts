import { expect, test } from "vitest";
import { deck, type PlannedFault, planFaults } from "./plan-faults.ts";

const take = (seed: number, count: number): PlannedFault[] => {
  const faults = planFaults(seed);
  return Array.from({ length: count }, () => faults.next().value);
};
const nameOf = ({ kind, part }: Pick<PlannedFault, "kind" | "part">) => `${part} ${kind}`;

test("a seed gives the same faults again, another seed others", () => {
  expect(take(7, 100)).toEqual(take(7, 100));
  expect(take(7, 100)).not.toEqual(take(8, 100));
});

test("every fault has come before any comes again, and they are 15 to 20 s apart", () => {
  const faults = take(3, 2 * deck.length);
  const all = deck.map(nameOf).sort();
  expect(faults.slice(0, deck.length).map(nameOf).sort()).toEqual(all);
  expect(faults.slice(deck.length).map(nameOf).sort()).toEqual(all);
  expect(faults.map(({ number }) => number)).toEqual(faults.map((_, index) => index + 1));
  for (const { afterMs } of faults) {
    expect(afterMs).toBeGreaterThanOrEqual(15_000);
    expect(afterMs).toBeLessThan(20_000);
  }
});
