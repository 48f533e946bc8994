import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { SubmitOutcome } from "../../db/tables/tasks.ts";

const submitsMax = 20_000;
const recentMinutes = 60;

export interface SubmitTimes {
  vendorAccount: string;
  medianMs: number;
  p95Ms: number;
}

interface Submits {
  vendorAccount: string;
  outcome: SubmitOutcome | "open";
  count: number;
}

const newest = sql`
  select task_id, vendor_account, outcome, started_at, coalesce(accepted_at, ended_at) as answered_at
  from submissions where task_id >= id_floor(now() - ${recentMinutes} * interval '1 minute')
  order by task_id desc limit ${submitsMax}`;

/** Returns the response times of vendors for the submits that `countRecentSubmits` reads. */
export async function readSubmitTimes(db: Db): Promise<SubmitTimes[]> {
  const { rows } = await sql<SubmitTimes>`
    select vendor_account as "vendorAccount", round(ms[1])::int as "medianMs", round(ms[2])::int as "p95Ms"
    from (select vendor_account, percentile_cont(array[0.5, 0.95]) within group (
            order by greatest(0, extract(epoch from answered_at - started_at) * 1000)::float8) as ms
          from (${newest}) as recent where answered_at is not null group by 1) as times`.execute(
    db,
  );
  return rows;
}

/**
 * Returns the outcomes of the newest submits of the last hour by vendor account: at most 20,000 of all
 * accounts together, whatever the load. `since`: the time at which the oldest of them was accepted.
 */
export async function countRecentSubmits(
  db: Db,
): Promise<{ since: Date | null; submits: Submits[] }> {
  const { rows } = await sql<Submits & { since: Date }>`
    with recent as materialized (${newest})
    select vendor_account as "vendorAccount", coalesce(outcome, 'open') as outcome,
           count(*)::int as count, (select id_time(min(task_id::text)::uuid) from recent) as since
    from recent group by 1, 2`.execute(db);
  return { since: rows[0]?.since ?? null, submits: rows };
}
