import { sql } from "kysely";
import { type Db, inTransaction } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";
import type { AccountId } from "../ids.ts";

/** The steps of erasing an account's events and callbacks. They run as the owner of the schema. */

const rowsMax = 500;

/** Deletes the callbacks of an account with their attempts, open ones included. Returns how many. */
export async function eraseDeliveries(db: Db, accountId: AccountId): Promise<number> {
  // First, as everywhere: a delivery that is under way finds nothing to record.
  await sql`delete from open_deliveries where account_id = ${accountId}`.execute(db);
  return inBatches(() =>
    inTransaction(db, async (tx) => {
      const ids = sql`array(select id from deliveries where account_id = ${accountId} order by id limit ${rowsMax})`;
      await sql`delete from attempts where delivery_id = any (${ids})`.execute(tx);
      return changedRows(await sql`delete from deliveries where id = any (${ids})`.execute(tx));
    }),
  );
}

export async function eraseEvents(db: Db, accountId: AccountId): Promise<number> {
  return inBatches(async () =>
    changedRows(
      await sql`delete from events where id = any (array(
        select id from events where account_id = ${accountId} limit ${rowsMax}))`.execute(db),
    ),
  );
}

/** Repeats a bounded step until it finds less than its bound. Returns how much it found. */
async function inBatches(step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await step();
    total += count;
    if (count < rowsMax) return total;
  }
}
