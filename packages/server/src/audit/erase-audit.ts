import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";
import type { AccountId, PersonId } from "../ids.ts";

/** Empties what people of an account wrote, and where from; that something was done, and by whom, stays. */
export async function eraseAudit(db: Db, accountId: AccountId): Promise<number> {
  const erased = await sql`
    update audit_entries set before = null, after = null, reason = null, address = null
    where account_id = ${accountId} and num_nonnulls(before, after, reason, address) > 0`.execute(
    db,
  );
  return changedRows(erased);
}

/** The same of what a person did that concerns no account: signing in, and changes of itself. */
export async function erasePersonAudit(db: Db, personId: PersonId): Promise<void> {
  await sql`
    update audit_entries set before = null, after = null, reason = null, address = null
    where person_id = ${personId} and account_id is null
      and num_nonnulls(before, after, reason, address) > 0`.execute(db);
}
