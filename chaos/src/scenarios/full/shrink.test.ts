import fc from "fast-check";
import { expect, test } from "vitest";
import { shrink } from "./shrink.ts";

test("a list is cut down to what it takes to fail, whichever items those are", async () => {
  const lists = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      lists,
      fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      async (all, places) => {
        const needed = new Set(places.map((place) => all[place % all.length] ?? 0));
        const fails = async (items: readonly number[]) =>
          [...needed].every((n) => items.includes(n));
        expect(new Set(await shrink(all, fails))).toEqual(needed);
      },
    ),
  );
});

test("a list of 64 with one guilty item takes at most 12 runs", async () => {
  let runs = 0;
  const all = Array.from({ length: 64 }, (_, index) => index);
  const fails = async (items: readonly number[]) => {
    runs += 1;
    return items.includes(41);
  };
  expect(await shrink(all, fails)).toEqual([41]);
  expect(runs).toBeLessThanOrEqual(12);
});
