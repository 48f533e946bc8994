import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { hostOf } from "./delivery-queries.ts";
import { givenUpToday } from "./measure-deliveries.ts";

const rowsMax = 20_000;
const hostsMax = 100;

interface FailingHost {
  host: string;
  failing: number;
  givenUp: number;
  accounts: number;
  since: Date;
  lastStatus: number | null;
  lastReason: string | null;
}

/**
 * The hosts with the most deliveries that fail: open ones that failed at least once, of the oldest open
 * ones, and those given up in 24 hours. The first attempt may be under way, so one is not a failure yet.
 */
export async function listFailingHosts(
  db: Db,
): Promise<{ hosts: FailingHost[]; isComplete: boolean }> {
  const { rows } = await sql<{ open: number } & (FailingHost | { host: null })>`
    with open as materialized (
      select delivery_id, account_id, host, attempts - attempts_before as attempt
      from open_deliveries order by delivery_id limit ${rowsMax}
    ), lost as materialized (
      select d.id, d.account_id, ${hostOf} as host
      from deliveries d where ${givenUpToday} limit ${rowsMax}
    ), hosts as (
      select host, count(*) filter (where is_open)::int as failing,
             count(*) filter (where not is_open)::int as given_up,
             count(distinct account_id)::int as accounts, min(delivery_id::text)::uuid as oldest
      from (select delivery_id, account_id, host, true as is_open from open where attempt > 1
            union all select id, account_id, host, false from lost) f
      group by host order by count(*) desc, host limit ${hostsMax}
    )
    select c.open, h.host, h.failing, h.given_up as "givenUp", h.accounts,
           id_time(h.oldest) as since, a.status as "lastStatus", a.reason as "lastReason"
    from (select greatest((select count(*) from open), (select count(*) from lost))::int as open) c
    left join hosts h on true
    left join lateral (
      select status, reason from attempts
      where delivery_id = h.oldest and duration_ms is not null order by number desc limit 1) a on true
    order by h.failing + h.given_up desc, h.host`.execute(db);
  const hosts = rows.flatMap(({ open: _, ...row }) => (row.host === null ? [] : [row]));
  return { hosts, isComplete: (rows[0]?.open ?? 0) < rowsMax };
}
