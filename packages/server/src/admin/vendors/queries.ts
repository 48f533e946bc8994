import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { SubmitOutcome } from "../../db/tables/tasks.ts";

const submitsMax = 20_000;
const recentMinutes = 60;

interface Submits {
  vendorAccount: string;
  outcome: SubmitOutcome | "open";
  count: number;
}

/**
 * How the newest submits of the last hour ended, by vendor account: at most 20,000 of all accounts
 * together, whatever the load. `since`: when the oldest of them was accepted.
 */
export async function countRecentSubmits(
  db: Db,
): Promise<{ since: Date | null; submits: Submits[] }> {
  const { rows } = await sql<Submits & { since: Date }>`
    with recent as materialized (
      select task_id, vendor_account, outcome from submissions
      where task_id >= id_floor(now() - ${recentMinutes} * interval '1 minute')
      order by task_id desc limit ${submitsMax})
    select vendor_account as "vendorAccount", coalesce(outcome, 'open') as outcome,
           count(*)::int as count, (select id_time(min(task_id::text)::uuid) from recent) as since
    from recent group by 1, 2`.execute(db);
  return { since: rows[0]?.since ?? null, submits: rows };
}
