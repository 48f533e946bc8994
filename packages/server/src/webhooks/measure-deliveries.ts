import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { onlyRow } from "../db/only-row.ts";

const rowsMax = 100_000;
const oldestMax = 10_000;

/** How much is to be delivered, and how many accounts have a delivery that failed at least once. */
export async function countOpenDeliveries(
  db: Db,
): Promise<{ open: number; failingAccounts: number }> {
  const { rows } = await sql<{ open: number; failingAccounts: number }>`
    select (select count(*) from (
              select from open_deliveries order by delivery_id limit ${rowsMax}) o) as open,
           (select count(distinct account_id) from (
              select account_id, attempts - attempts_before as turn
              from open_deliveries order by delivery_id limit ${oldestMax}) f
            where turn > 1) as "failingAccounts"`.execute(db); // the first attempt may be under way
  return onlyRow(rows);
}
