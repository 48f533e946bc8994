import assert from "node:assert";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { inTransaction, type Tx } from "../db/database.ts";
import { type AccountId, newId, type TaskId } from "../ids.ts";
import { type DeliveriesPage, listDeliveries, reopenDeliveries } from "./delivery-queries.ts";
import type { DeliveriesQuery } from "./schema.ts";

/** The maximum number of rows that a page may read in a history of any length. */
const rowsMax = 500;
const historyRows = 30_000;
const partRows = 3_000;

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

type Outcome = NonNullable<DeliveriesQuery["outcome"]>;

/** A history of one outcome with five of another in its middle, in statements that are short on a busy machine too. */
function historyOf(accountId: AccountId, common: Outcome, rare: Outcome): string[] {
  const outcome = `case when n between 15000 and 15004 then '${rare}' else '${common}' end`;
  return Array.from(
    { length: historyRows / partRows },
    (_, part) => `with made as (
       insert into deliveries (id, account_id, task_id, url, body, delivered_at, given_up_at)
       select named.id, '${accountId}', gen_random_uuid(), 'http://127.0.0.1:1024/', '{}',
              case ${outcome} when 'delivered' then now() end, case ${outcome} when 'failed' then now() end
       from generate_series(${part * partRows + 1}, ${(part + 1) * partRows}) n,
       lateral (select overlay(md5(n::text) placing left(replace(id_floor(now() - n * interval '1 minute')::text, '-', ''), 12) from 1 for 12)::uuid as id) named
       returning id, account_id, delivered_at, given_up_at)
     insert into open_deliveries (delivery_id, account_id, host, next_attempt_at)
     select id, account_id, 'host', now() from made where delivered_at is null and given_up_at is null`,
  );
}

/**
 * Rows that were read through indexes or from end to end. Only the difference of two is meaningful: PostgreSQL
 * keeps what earlier transactions of a connection read for up to a second, and counts it too.
 */
async function rowsRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: string }>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as read
    from pg_stat_xact_user_tables where relname ~ 'deliver|attempts'`.execute(tx);
  return Number(rows[0]?.read);
}

const pairs = [
  { common: "delivered", rare: "failed" },
  { common: "delivered", rare: "pending" },
  { common: "failed", rare: "delivered" },
  { common: "failed", rare: "pending" },
  { common: "pending", rare: "failed" },
  { common: "pending", rare: "delivered" },
] as const;

const isFound =
  ({ rare }: { rare: Outcome }, id: AccountId) =>
  async (tx: Tx) => {
    const list = (query: Pick<DeliveriesPage, "cursor">) =>
      listDeliveries(tx, id, { limit: 50, outcome: rare, ...query });
    const before = await rowsRead(tx);
    const found = await list({});
    expect(found).toHaveLength(5);
    expect(await list({ cursor: found[2]?.id })).toEqual(found.slice(3));
    return (await rowsRead(tx)) - before;
  };

test.each(pairs)(
  "the five deliveries that are $rare among thousands that are $common are found without reading those",
  async (pair) => {
    const { id } = await bed.openAccount({ credits: 0 });
    for (const statement of historyOf(id, pair.common, pair.rare))
      await bed.database.sql(statement);
    await bed.database.sql("analyze");
    const read = await inTransaction(bed.ctx.db, isFound(pair, id));
    await bed.database.sql("delete from open_deliveries");
    await bed.database.sql("delete from deliveries");
    expect(read).toBeLessThan(rowsMax);
  },
);

// Plans are kept: one that was made before there was a history is used when it is long.
test.each(pairs)(
  "a plan that was made on an empty table finds the five that are $rare among thousands that are $common as well",
  async (pair) => {
    const { id } = await bed.openAccount({ credits: 0 });
    await bed.database.sql("analyze");
    const unwritten = new Error("rolled back");
    const reading = inTransaction(bed.ctx.db, async (tx) => {
      await listDeliveries(tx, id, { limit: 50, outcome: pair.rare });
      await listDeliveries(tx, id, { limit: 50, outcome: pair.rare, cursor: newId(0) });
      for (const statement of historyOf(id, pair.common, pair.rare))
        await sql.raw(statement).execute(tx);
      expect(await isFound(pair, id)(tx)).toBeLessThan(rowsMax);
      throw unwritten;
    });
    await expect(reading).rejects.toBe(unwritten);
  },
);

test.each(["delivered", "failed"] as const)(
  "the five that are %s of a time are asked for again without reading the thousands of the same time that are not",
  async (outcome) => {
    const { id } = await bed.openAccount({ credits: 0 });
    const common = outcome === "failed" ? "delivered" : "failed";
    await bed.database.sql("analyze");
    const unwritten = new Error("rolled back");
    const again = inTransaction(bed.ctx.db, async (tx) => {
      const range = { accountId: id, from: new Date(0), to: new Date(), outcome };
      await reopenDeliveries(tx, range, 1_000);
      for (const statement of historyOf(id, common, outcome)) await sql.raw(statement).execute(tx);
      const before = await rowsRead(tx);
      expect(await reopenDeliveries(tx, range, 1_000)).toBe(5);
      expect((await rowsRead(tx)) - before).toBeLessThan(rowsMax);
      throw unwritten;
    });
    await expect(again).rejects.toBe(unwritten);
  },
);

test("the callbacks of one task are found without reading those of others", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  for (const statement of historyOf(id, "delivered", "failed")) await bed.database.sql(statement);
  await bed.database.sql("analyze");
  const [row] = await bed.database.sql<{ task: TaskId }>(
    "select task_id as task from deliveries order by id offset 100 limit 1",
  );
  const read = await inTransaction(bed.ctx.db, async (tx) => {
    assert(row !== undefined);
    const taskId = row.task;
    const before = await rowsRead(tx);
    expect(await listDeliveries(tx, id, { limit: 50, taskId })).toMatchObject([{ taskId }]);
    expect(await listDeliveries(tx, id, { limit: 50, taskId, outcome: "failed" })).toEqual([]);
    return (await rowsRead(tx)) - before;
  });
  await bed.database.sql("delete from deliveries");
  expect(read).toBeLessThan(rowsMax);
});
