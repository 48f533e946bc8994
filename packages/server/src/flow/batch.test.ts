import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { busy, createBatch, type Wait } from "./batch.ts";

interface Run {
  items: readonly number[];
  wait: Wait;
  end(fault?: Error): void;
}

/** A batch whose transactions end when the test says so. The key of an item is its tens. */
function openBatch(
  options: { rowsMax?: number; crowd?: number } = {},
  isBusy: (item: number, wait: Wait) => boolean = () => false,
) {
  const runs: Run[] = [];
  const add = createBatch<number, string>({
    ...options,
    keyOf: (item) => String(Math.floor(item / 10)),
    run(items, wait) {
      const { promise, resolve, reject } = Promise.withResolvers<(string | typeof busy)[]>();
      const results = items.map((item) => (isBusy(item, wait) ? busy : `done ${item}`));
      const end = (fault?: Error) => (fault === undefined ? resolve(results) : reject(fault));
      runs.push({ items, wait, end });
      return promise;
    },
  });
  return { runs, add };
}

/** Everything that is ready to run has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function databaseError(code: string): DatabaseError {
  return Object.assign(new DatabaseError("planted", 0, "error"), { code });
}

test("the first caller runs at once, and those who come meanwhile are the next batch", async () => {
  const { runs, add } = openBatch();
  const done = [add(1), add(2), add(3)];
  expect(runs.map(({ items }) => items)).toEqual([[1]]);
  runs[0]?.end();
  await settled();
  expect(runs.map(({ items }) => items)).toEqual([[1], [2, 3]]);
  runs[1]?.end();
  expect(await Promise.all(done)).toEqual(["done 1", "done 2", "done 3"]);
  await settled();
  void add(4);
  expect(runs[2]?.items).toEqual([4]);
});

test("a second batch runs beside the first once enough wait, and a third waits for one of them", async () => {
  const { runs, add } = openBatch({ crowd: 3 });
  const itemsOfRuns = () => runs.map(({ items }) => items);
  for (const item of [1, 2, 3]) void add(item);
  expect(itemsOfRuns()).toEqual([[1]]);
  void add(4);
  expect(itemsOfRuns()).toEqual([[1], [2, 3, 4]]);
  for (const item of [5, 6, 7, 8]) void add(item);
  expect(runs.length).toBe(2);
  runs[1]?.end();
  await settled();
  expect(itemsOfRuns()).toEqual([[1], [2, 3, 4], [5, 6, 7, 8]]);
  const last = add(9);
  runs[2]?.end();
  await settled();
  expect(runs.length).toBe(3); // too few to run beside the first
  runs[0]?.end();
  await settled();
  runs[3]?.end();
  expect(await last).toBe("done 9");
});

test("no batch is larger than its bound", async () => {
  const { runs, add } = openBatch({ rowsMax: 2 });
  for (const item of [1, 2, 3, 4, 5]) void add(item);
  for (let at = 0; at < 4; at++) {
    runs[at]?.end();
    await settled();
  }
  expect(runs.map(({ items }) => items)).toEqual([[1], [2, 3], [4, 5]]);
});

test("no batch is larger in bytes than its bound, but one that is larger alone is done", async () => {
  const batches: number[][] = [];
  const add = createBatch<number, void>({
    sizeOf: (kilobytes) => kilobytes * 1024,
    keyOf: String,
    async run(items) {
      batches.push([...items]);
      return items.map(() => undefined);
    },
  });
  await Promise.all([1, 100, 100, 100, 300, 5].map(add));
  expect(batches).toEqual([[1], [100, 100], [100], [300], [5]]);
});

test("a batch that gets no answer holds up the next one only briefly", async () => {
  const { runs, add } = openBatch();
  void add(1);
  const next = add(2);
  await expect.poll(() => runs.length, { timeout: 60_000 }).toBe(2);
  runs[1]?.end();
  expect(await next).toBe("done 2");
});

test("an item at fault fails alone, after as many rounds as halving takes, and delays no batch behind", async () => {
  const { runs, add } = openBatch();
  const bad = 77;
  const first = add(0);
  const others = Array.from({ length: 63 }, (_, n) => add(n));
  const fails = expect(add(bad)).rejects.toThrow("planted");
  const behind = add(100);
  runs[0]?.end();
  await first;
  await settled();
  const fault = databaseError("23505");
  let rounds = 0;
  // Round by round: everything that runs at the same moment ends before anything of the next round.
  for (let at = 1; at < runs.length; rounds++) {
    for (const { items, end } of runs.slice(at)) {
      at++;
      end(items.includes(bad) ? fault : undefined);
    }
    if (rounds === 0) void add(200); // comes while the batch is taken apart
    await settled();
    if (rounds === 0) expect(runs.some(({ items }) => items.includes(200))).toBe(true);
  }
  await fails;
  expect(await Promise.all(others)).toHaveLength(63);
  expect(await behind).toBe("done 100");
  expect(rounds).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(65)));
});

test("what waits for a lock goes on by itself, and what comes later of its key joins it", async () => {
  const isHeld = (item: number, wait: Wait) => wait === "skip" && item >= 20 && item < 30;
  const { runs, add } = openBatch({}, isHeld);
  const first = add(1);
  const held = [add(21), add(22)];
  const free = add(31);
  runs[0]?.end();
  await first;
  await settled();
  runs[1]?.end(databaseError("55P03")); // the lock of 20 to 29 is not free in time
  await settled();
  expect(runs[2]).toMatchObject({ items: [21, 22, 31], wait: "skip" });
  runs[2]?.end();
  expect(await free).toBe("done 31");
  await settled();
  expect(runs[3]).toMatchObject({ items: [21, 22], wait: "long" });
  held.push(add(23));
  const later = add(32);
  expect(runs[4]).toMatchObject({ items: [32], wait: "brief" });
  runs[4]?.end();
  expect(await later).toBe("done 32");
  runs[3]?.end();
  await settled();
  expect(runs[5]).toMatchObject({ items: [23], wait: "long" });
  runs[5]?.end();
  expect(await Promise.all(held)).toEqual(["done 21", "done 22", "done 23"]);
  await settled();
  void add(24);
  expect(runs[6]).toMatchObject({ items: [24], wait: "brief" });
});

test("a database that is away fails everybody at once, and nothing is repeated", async () => {
  const { runs, add } = openBatch();
  void add(1);
  const failing = [2, 3, 4].map((item) => expect(add(item)).rejects.toThrow("planted"));
  runs[0]?.end();
  await settled();
  runs[1]?.end(databaseError("57P01"));
  await Promise.all(failing);
  await settled();
  expect(runs).toHaveLength(2);
});
