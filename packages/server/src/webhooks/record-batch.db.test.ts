import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outwait } from "../../test/harness/outwait.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { DeliveryId } from "../ids.ts";
import { type DueDelivery, recordAttempt, takeDueDeliveries } from "./queries.ts";
import { sendTest } from "./send-test.ts";
import { createLaneWalk } from "./walk-lanes.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

const answered = { status: 200, reason: null, durationMs: 1 };

/** Deliveries of one account, each taken for its first attempt. */
async function takeMany(count: number): Promise<DueDelivery[]> {
  const account = await bed.openAccount();
  await Promise.all(
    Array.from({ length: count }, () => sendTest(bed.ctx, account, "http://127.0.0.1:9/hook")),
  );
  const { due } = await createLaneWalk().next(bed.ctx.db);
  const shares = due.map((lane) => ({ lane, rowsMax: count }));
  return takeDueDeliveries(bed.ctx.db, shares, { attemptsUsual: 4, leaseMs: 600_000 });
}

const record = (due: DueDelivery, result = answered) =>
  recordAttempt(bed.ctx.pool, due, result, "delivered");

async function countDelivered(deliveries: { deliveryId: DeliveryId }[]) {
  const [row] = await bed.database.sql<{ delivered: string; writes: string }>(
    `select count(*) as delivered, count(distinct xmin::text) as writes
     from deliveries where id = any ($1) and delivered_at is not null`,
    [deliveries.map(({ deliveryId }) => deliveryId)],
  );
  return { delivered: Number(row?.delivered), writes: Number(row?.writes) };
}

test("attempts that end at the same moment are recorded in shared transactions", async () => {
  const taken = await takeMany(24);
  await Promise.all(taken.map((due) => record(due)));
  const { delivered, writes } = await countDelivered(taken);
  expect(delivered).toBe(24);
  expect(writes).toBeLessThan(24);
});

test("a failed attempt is due again and one that was the last is given up, in one batch with others", async () => {
  const [warm, again, last, good] = await takeMany(4);
  if (!(warm && again && last && good)) throw new Error("four were taken");
  const failed = { status: 500, reason: "answered 500", durationMs: 1 };
  await Promise.all([
    record(warm),
    recordAttempt(bed.ctx.pool, again, failed, { againMs: 60_000 }),
    recordAttempt(bed.ctx.pool, last, failed, "given up"),
    record(good),
  ]);
  const rows = await bed.database.sql<{ id: DeliveryId; state: string }>(
    `select d.id, concat_ws(' ', case when d.delivered_at is not null then 'delivered' end,
       case when d.given_up_at is not null then 'given up' end, case when o.delivery_id is not null then 'open' end,
       (select a.status from attempts a where a.delivery_id = d.id)) as state
     from deliveries d left join open_deliveries o on o.delivery_id = d.id where d.id = any ($1)`,
    [[again, last, good].map(({ deliveryId }) => deliveryId)],
  );
  const stateOf = ({ deliveryId }: DueDelivery) => rows.find(({ id }) => id === deliveryId)?.state;
  expect([again, last, good].map(stateOf)).toEqual(["open 500", "given up 500", "delivered 200"]);
});

// Without halving, everybody who ends at the same moment gets the error of the one row.
test("an attempt that cannot be recorded fails alone", async () => {
  const [bad, ...others] = await takeMany(16);
  if (bad === undefined) throw new Error("nothing was taken");
  const work = [...others.map((due) => record(due)), record(bad, { ...answered, status: 99_999 })];
  const results = await Promise.allSettled(work);
  expect(results.map(({ status }) => status)).toEqual([
    ...others.map(() => "fulfilled"),
    "rejected",
  ]);
  expect(await countDelivered(others)).toMatchObject({ delivered: others.length });
});

// Without `skip locked` the others wait until the lock is free, which is after them.
test("a delivery whose row is locked delays nobody", async () => {
  const [locked, ...others] = await takeMany(12);
  if (locked === undefined) throw new Error("nothing was taken");
  const client = new Client({ connectionString: bed.database.ownerUrl });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select from open_deliveries where delivery_id = $1 for update", [
      locked.deliveryId,
    ]);
    const [first, ...rest] = others.map((due) => record(due));
    const late = outwait(() => record(locked));
    await Promise.all([first, ...rest]);
    expect(await countDelivered(others)).toMatchObject({ delivered: others.length });
    await client.query("commit");
    await late;
    expect(await countDelivered([locked])).toMatchObject({ delivered: 1 });
  } finally {
    await client.end();
  }
});
