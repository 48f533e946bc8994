import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { listDeliveries, reopenDeliveries } from "./delivery-queries.ts";
import { listEvents } from "./event-queries.ts";
import { takeDueDeliveries } from "./queries.ts";
import { sendTest } from "./send-test.ts";
import { createLaneWalk } from "./walk-lanes.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

// Plans are kept. One that was made while next to nothing was open would be used, for up to a minute,
// when twenty thousand deliveries have become due: it must not read the whole table for each lane.
test("delivering, the record and the events read no table from end to end, even where that is quicker because it is small", async () => {
  const account = await bed.openAccount();
  for (let n = 0; n < 3; n += 1) await sendTest(bed.ctx, account, "http://127.0.0.1:1024/");
  await bed.database.sql("analyze");
  const read = await bed.ctx.db.transaction().execute(async (tx) => {
    const { due } = await createLaneWalk().next(tx);
    const shares = due.map((lane) => ({ lane, rowsMax: 16 }));
    const taken = await takeDueDeliveries(tx, shares, { attemptsUsual: 4, leaseMs: 1_000 });
    expect(taken).toHaveLength(3);
    const [one, two] = taken;
    if (one === undefined || two === undefined) throw new Error("three were taken");
    const results = [one, two].map(({ deliveryId, number }, index) => ({
      place: index,
      delivery_id: deliveryId,
      number,
      is_delivered: deliveryId === one.deliveryId,
    }));
    await sql`select from record_attempts(${JSON.stringify(results)}, 'long')`.execute(tx);
    const range = { accountId: account.id, from: new Date(0), to: new Date(Date.now() + 60_000) };
    expect(await reopenDeliveries(tx, { ...range, outcome: "failed" }, 10)).toBe(1);
    expect(await listDeliveries(tx, account.id, { limit: 10 })).toHaveLength(3);
    await listEvents(tx, account.id, { after: 0, before: null, order: "asc", limit: 10 });
    const { rows } = await sql<{ table: string }>`
      select relname as table from pg_stat_xact_user_tables where seq_scan > 0`.execute(tx);
    return rows.map(({ table }) => table);
  });
  expect(read).toEqual([]);
});

// What is known of the table is then a few rows on many pages, which makes reading all of it look cheap.
test("a plan that was made when a backlog had just gone reads no more than it needs of the next one", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  const backlog = `
    insert into open_deliveries (delivery_id, account_id, host, next_attempt_at)
    select gen_random_uuid(), '${id}', 'host-' || host, now()
    from generate_series(1, 100) as host, generate_series(1, 200)`;
  await bed.database.sql("delete from open_deliveries");
  await bed.database.sql(backlog);
  await bed.database.sql("delete from open_deliveries where host <> 'host-1'");
  await bed.database.sql(
    "delete from open_deliveries where ctid <> (select max(ctid) from open_deliveries)",
  );
  await bed.database.sql("analyze open_deliveries");
  const read = await bed.ctx.db.transaction().execute(async (tx) => {
    await sql.raw(backlog).execute(tx);
    const { due } = await createLaneWalk().next(tx);
    expect(due).toHaveLength(100);
    const shares = due.map((lane) => ({ lane, rowsMax: 1 }));
    await takeDueDeliveries(tx, shares, { attemptsUsual: 4, leaseMs: 1_000 });
    const { rows } = await sql<{ rows: string }>`
      select idx_tup_fetch as rows from pg_stat_xact_user_tables
      where relname = 'open_deliveries'`.execute(tx);
    return Number(rows[0]?.rows);
  });
  expect(read).toBeGreaterThan(100);
  expect(read).toBeLessThan(2_000);
});
