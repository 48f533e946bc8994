import { expect } from "vitest";
import type { FreshDatabase } from "./fresh-database.ts";

/** What must be true of the ledger after anything at all. */
export async function checkMoney(database: FreshDatabase): Promise<void> {
  const unbalanced = await database.sql(
    "select cause_id, kind, sum(amount) from entries group by 1, 2 having sum(amount) <> 0",
  );
  expect(unbalanced).toEqual([]);
  const drifted = await database.sql(`
    select a.id, a.credits, a.held, sums.* from accounts a left join lateral (
      select coalesce(sum(amount) filter (where book in ('available', 'held')), 0) as credits_sum,
             coalesce(sum(amount) filter (where book = 'held'), 0) as held_sum
      from entries where account_id = a.id) sums on true
    where a.credits <> credits_sum or a.held <> held_sum or a.held < 0 or a.credits < a.held`);
  expect(drifted).toEqual([]);
  const unmatched = await database.sql(`
    select t.id, t.status from tasks t
    left join transfers h on h.cause_id = t.id and h.kind = 'hold'
    left join transfers c on c.cause_id = t.id and c.kind = 'capture'
    left join transfers r on r.cause_id = t.id and r.kind = 'release'
    left join open_tasks o on o.task_id = t.id
    where h.amount is distinct from t.credits
       or (t.status = 'COMPLETED') <> (c.amount is not null)
       or (t.status = 'FAILED') <> (r.amount is not null)
       or c.amount <> h.amount or r.amount <> h.amount
       or (t.status in ('PENDING', 'PROCESSING')) <> (o.task_id is not null)`);
  expect(unmatched).toEqual([]);
}
