import { expect, test } from "vitest";
import { createWriteBehind } from "./write-behind.ts";

/** Opens a buffer whose store fails while it is unreachable. */
function open(limits: { waitMs?: number; rowsMax?: number; waitingMax?: number } = {}) {
  const saved: string[][] = [];
  const lost: string[][] = [];
  const store = { isAway: false, savesAtOnce: 0, savesAtOnceMax: 0 };
  const firstLoss = Promise.withResolvers<void>();
  const buffer = createWriteBehind<string, string>({
    waitMs: 3_600_000,
    rowsMax: 2,
    waitingMax: 10,
    ...limits,
    async save(rows) {
      store.savesAtOnce += 1;
      store.savesAtOnceMax = Math.max(store.savesAtOnceMax, store.savesAtOnce);
      await new Promise(setImmediate);
      store.savesAtOnce -= 1;
      if (store.isAway) throw new Error("away");
      saved.push(rows);
    },
    lost(rows) {
      lost.push(rows);
      firstLoss.resolve();
    },
  });
  return { buffer, saved, lost, store, firstLoss: firstLoss.promise };
}

test("closing saves what waits, in batches, one after the other", async () => {
  const { buffer, saved, store } = open();
  for (const key of ["a", "b", "c", "d", "e"]) buffer.note(key, `row ${key}`);
  await buffer.close();
  expect(saved).toEqual([["row a", "row b"], ["row c", "row d"], ["row e"]]);
  expect(store.savesAtOnceMax).toBe(1);
});

test("a row replaces the one that waits under its key", async () => {
  const { buffer, saved } = open();
  buffer.note("a", "first");
  buffer.note("a", "second");
  expect(buffer.waitingOf("a")).toBe("second");
  await buffer.close();
  expect(saved).toEqual([["second"]]);
});

test("what is beyond the bound is not noted, and what waits can still be replaced", async () => {
  const { buffer, saved } = open({ waitingMax: 1 });
  expect(buffer.note("a", "first")).toBe(true);
  expect(buffer.note("b", "beyond")).toBe(false);
  expect(buffer.note("a", "second")).toBe(true);
  await buffer.close();
  expect(saved).toEqual([["second"]]);
});

test("rows that cannot be saved are told and lost; those behind them are saved when the store is back", async () => {
  const { buffer, saved, lost, store, firstLoss } = open({ waitMs: 1 });
  store.isAway = true;
  for (const key of ["a", "b", "c"]) buffer.note(key, key);
  await firstLoss;
  store.isAway = false;
  await buffer.close();
  expect(lost).toEqual([["a", "b"]]);
  expect(saved).toEqual([["c"]]);
});
