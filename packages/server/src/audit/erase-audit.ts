import { sql } from "kysely";
import type { SharedDb } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";
import type { AccountId, PersonId } from "../ids.ts";

/** Empties what people of an account wrote, and where from; that something was done, and by whom, stays. */
export async function eraseAudit(db: SharedDb, accountId: AccountId): Promise<number> {
  const erased = await sql`
    update audit_entries set before = null, after = null, reason = null, address = null
    where account_id = ${accountId} and num_nonnulls(before, after, reason, address) > 0`.execute(
    db,
  );
  return changedRows(erased);
}

/** Erases the audit of a person's actions that concern no account: signing in, and changes of the person. */
export async function erasePersonAudit(db: SharedDb, personId: PersonId): Promise<void> {
  await sql`
    update audit_entries set before = null, after = null, reason = null, address = null
    where person_id = ${personId} and account_id is null
      and num_nonnulls(before, after, reason, address) > 0`.execute(db);
}
