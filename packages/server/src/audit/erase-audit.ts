import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";
import type { AccountId } from "../ids.ts";

/** Empties what people of an account wrote, and where from; that something was done, and by whom, stays. */
export async function eraseAudit(db: Db, accountId: AccountId): Promise<number> {
  const erased = await sql`
    update audit_entries set before = null, after = null, reason = null, address = null
    where account_id = ${accountId} and num_nonnulls(before, after, reason, address) > 0`.execute(
    db,
  );
  return changedRows(erased);
}
