import { sql } from "kysely";
import type { Db } from "../db/database.ts";

const rowsMax = 20_000;
const hostsMax = 100;

interface FailingHost {
  host: string;
  failing: number;
  accounts: number;
  since: Date;
  lastStatus: number | null;
  lastReason: string | null;
}

/**
 * The hosts with the most open deliveries that failed at least once, of the oldest open ones: what is
 * delivered or given up leaves open_deliveries, so history costs nothing. The first attempt may be under
 * way, so one is not a failure yet.
 */
export async function listFailingHosts(
  db: Db,
): Promise<{ hosts: FailingHost[]; isComplete: boolean }> {
  const { rows } = await sql<{ open: number } & (FailingHost | { host: null })>`
    with open as materialized (
      select delivery_id, account_id, host, attempts - attempts_before as turn
      from open_deliveries order by delivery_id limit ${rowsMax}
    ), hosts as (
      select host, count(*)::int as failing, count(distinct account_id)::int as accounts,
             min(delivery_id::text)::uuid as oldest
      from open where turn > 1 group by host order by failing desc, host limit ${hostsMax}
    )
    select c.open, h.host, h.failing, h.accounts,
           id_time(h.oldest) as since, a.status as "lastStatus", a.reason as "lastReason"
    from (select count(*)::int as open from open) c
    left join hosts h on true
    left join lateral (
      select status, reason from attempts
      where delivery_id = h.oldest and duration_ms is not null order by number desc limit 1) a on true
    order by h.failing desc, h.host`.execute(db);
  const hosts = rows.flatMap(({ open: _, ...row }) => (row.host === null ? [] : [row]));
  return { hosts, isComplete: (rows[0]?.open ?? 0) < rowsMax };
}
