import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { isNotStuck, reasonOf } from "../db/stuck-rows.ts";
import { type AccountId, newId } from "../ids.ts";
import { eachRow, type RowLoop } from "./each-row.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());
beforeEach(() => bed.database.sql("delete from stuck_rows"));

interface Row {
  key: string;
}
const rowsOf = (...keys: string[]): Row[] => keys.map((key) => ({ key }));
const how = (loop: string, more: Partial<RowLoop<Row>> = {}): RowLoop<Row> => ({
  loop,
  keyOf: ({ key }) => key,
  atOnceMax: 2,
  rowMsMax: 30_000,
  ...more,
});
const failAt =
  (...bad: string[]) =>
  async ({ key }: Row) => {
    if (bad.includes(key)) throw new Error(`${key} is broken`);
  };
const keysOf = (rows: readonly Row[]) => rows.map(({ key }) => key).sort();

/** Returns the keys of these rows that the loop would take. */
async function taken(loop: string, ...keys: string[]): Promise<string[]> {
  const { rows } = await sql<Row>`select r.key from unnest(${keys}::text[]) as r (key)
    where ${isNotStuck(loop, sql.ref("r.key"))} order by r.key`.execute(bed.ctx.db);
  return keysOf(rows);
}

async function stuck(loop: string) {
  return bed.database.sql<{ key: string; failures: number; parked: boolean }>(
    "select key, failures, parked_at is not null as parked from stuck_rows where loop = $1 order by key",
    [loop],
  );
}

/** Moves the failures of rows into the past, as if they had failed for long. */
const failedBefore = (failures: number, minutes: number) =>
  bed.database.sql(
    `update stuck_rows set failures = $1, first_failed_at = now() - $2 * interval '1 minute',
       last_failed_at = now() - interval '2 seconds', next_try_at = now()`,
    [failures, minutes],
  );

test("a row that fails is counted and left alone for a while, and every other row is done", async () => {
  const done = await eachRow(bed.ctx, rowsOf("a", "b", "c", "d"), how("one"), failAt("b"));
  expect(keysOf(done)).toEqual(["a", "c", "d"]);
  expect(await stuck("one")).toEqual([{ key: "b", failures: 1, parked: false }]);
  expect(await taken("one", "a", "b", "c")).toEqual(["a", "c"]);
  expect(await taken("another", "a", "b", "c")).toEqual(["a", "b", "c"]);
});

test("a row that hangs counts as failed and holds up no other row", async () => {
  const done = await eachRow(
    bed.ctx,
    rowsOf("hangs", "a", "b"),
    how("hanging", { rowMsMax: 300, atOnceMax: 1 }),
    async ({ key }) => {
      if (key === "hangs") await new Promise(() => {});
    },
  );
  expect(keysOf(done)).toEqual(["a", "b"]);
  expect(await stuck("hanging")).toEqual([{ key: "hangs", failures: 1, parked: false }]);
});

test("waits grow with each failure, and a success forgets them", async () => {
  const waits: number[] = [];
  for (let round = 0; round < 4; round++) {
    await eachRow(bed.ctx, rowsOf("a", "good"), how("growing"), failAt("a"));
    const [row] = await bed.database.sql<{ s: string }>(
      "select extract(epoch from next_try_at - last_failed_at) as s from stuck_rows",
    );
    waits.push(Number(row?.s));
  }
  expect(waits).toEqual([2, 4, 8, 16]);
  await eachRow(bed.ctx, rowsOf("a"), how("growing"), failAt());
  expect(await stuck("growing")).toEqual([]);
});

test("a row that keeps failing while others succeed is parked, and the loop skips it from then on", async () => {
  await eachRow(bed.ctx, rowsOf("bad"), how("parking"), failAt("bad"));
  await failedBefore(9, 11);
  await eachRow(bed.ctx, rowsOf("good", "bad"), how("parking", { atOnceMax: 1 }), failAt("bad"));
  expect(await stuck("parking")).toEqual([{ key: "bad", failures: 10, parked: true }]);
  expect(await taken("parking", "bad", "good")).toEqual(["good"]);
});

test("nothing is parked by a trouble of minutes, or while no row of the loop succeeds", async () => {
  await eachRow(bed.ctx, rowsOf("a"), how("short"), failAt("a"));
  await failedBefore(50, 5);
  await eachRow(bed.ctx, rowsOf("good", "a"), how("short", { atOnceMax: 1 }), failAt("a"));
  expect(await stuck("short")).toEqual([{ key: "a", failures: 51, parked: false }]);
  await eachRow(bed.ctx, rowsOf("a"), how("outage"), failAt("a"));
  await failedBefore(50, 60);
  await eachRow(bed.ctx, rowsOf("a", "b"), how("outage"), failAt("a", "b"));
  expect(await stuck("outage")).toMatchObject([
    { key: "a", failures: 50, parked: false },
    { key: "b", failures: 1, parked: false },
  ]);
});

test("where everything fails, a few rows are tried and the others left for the next turn", async () => {
  const keys = Array.from({ length: 200 }, (_, n) => `row ${n}`);
  const tried: string[] = [];
  await eachRow(bed.ctx, rowsOf(...keys), how("away"), async ({ key }) => {
    tried.push(key);
    throw new Error("the storage is away");
  });
  expect(tried.length).toBeLessThan(30);
});

test("a lock makes the rows of its account wait, uncounted, and no other account's", async () => {
  const rows = ["a1", "a2", "a3", "b1", "b2"].map((key) => ({ key }));
  const [a, b] = [newId<AccountId>(0), newId<AccountId>(0)];
  const tried: string[] = [];
  const lanes = { accountOf: ({ key }: Row) => (key.startsWith("a") ? a : b) };
  const work = async ({ key }: Row) => {
    tried.push(key);
    if (!key.startsWith("a")) return;
    await bed.ctx.pool.query(
      "do $$ begin raise exception 'locked' using errcode = '55P03'; end $$",
    );
  };
  for (let turn = 0; turn < 2; turn++) await eachRow(bed.ctx, rows, how("locks", lanes), work);
  expect(tried.filter((key) => key.startsWith("a"))).toEqual(["a1", "a1"]);
  expect(tried.filter((key) => key.startsWith("b"))).toEqual(["b1", "b2", "b1", "b2"]);
  expect(await stuck("locks")).toEqual(
    ["a1", "a2", "a3"].map((key) => ({ key, failures: 1, parked: false })),
  );
});

test("a reason is one line without the secrets that links and messages carry", () => {
  const reason = reasonOf(
    new Error("no\nGET https://user:pass@host/a?X-Amz-Signature=abc with whsec_c2VjcmV0 \0"),
  );
  expect(reason).toBe("Error: no GET https://…@host/a?… with whsec_…  ");
});
