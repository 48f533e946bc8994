import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { onlyRow } from "../db/only-row.ts";
import { failingNow } from "./endpoints/failing-endpoints.ts";
import { tailHoursMax } from "./schedule.ts";

const rowsMax = 100_000;
const oldestMax = 10_000;
/** More than this many are counted as this many. */
const lostMax = 10_000;

/** Returns the number of open deliveries, and of accounts with a delivery that failed at least once. */
export async function countOpenDeliveries(
  db: Db,
): Promise<{ open: number; failingAccounts: number }> {
  const { rows } = await sql<{ open: number; failingAccounts: number }>`
    select (select count(*) from (
              select from open_deliveries order by delivery_id limit ${rowsMax}) o) as open,
           (select count(distinct account_id) from (
              select account_id, attempts - attempts_before as attempt
              from open_deliveries order by delivery_id limit ${oldestMax}) f
            where attempt > 1) as "failingAccounts"`.execute(db); // the first attempt may be under way
  return onlyRow(rows);
}

/**
 * Deliveries that were given up in the last 24 hours: as old as their retries can last, so that only
 * the newest partitions are read, by their index of what has failed. One that was only recorded, because
 * its endpoint was paused, was never tried.
 */
export const givenUpToday = sql`d.delivered_at is null and d.given_up_at > now() - interval '24 hours'
  and d.given_up_at > d.created_at
  and d.id >= id_floor(now() - ${24 + tailHoursMax} * interval '1 hour')`;

/** Returns the number of failing endpoints, and of deliveries given up in 24 hours. */
export async function countLostDeliveries(
  db: Db,
): Promise<{ failingEndpoints: number; givenUp: number }> {
  const { rows } = await sql<{ failingEndpoints: number; givenUp: number }>`
    select (select count(*) from (
              select from endpoint_health h join webhook_endpoints e on e.id = h.endpoint_id
              where ${failingNow}
              limit ${lostMax}) f) as "failingEndpoints",
           (select count(*) from (
              select from deliveries d where ${givenUpToday} limit ${lostMax}) g) as "givenUp"`.execute(
    db,
  );
  return onlyRow(rows);
}
