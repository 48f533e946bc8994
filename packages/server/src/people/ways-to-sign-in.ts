import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import { onlyRow } from "../db/only-row.ts";
import { ApiError } from "../errors.ts";
import type { PersonId } from "../ids.ts";

/** Refuses a removal that leaves a person without a way to sign in. Call it after the removal. */
export async function requireAnotherWay(tx: Tx, personId: PersonId): Promise<void> {
  // Locked, so that of two removals at once the second sees the first.
  await sql`select id from people where id = ${personId} for update`.execute(tx);
  const { rows } = await sql<{ hasOne: boolean }>`
    select exists (select from people where id = ${personId} and password_hash is not null)
        or exists (select from passkeys where person_id = ${personId})
        or exists (select from oidc_identities where person_id = ${personId}) as "hasOne"`.execute(
    tx,
  );
  if (!onlyRow(rows).hasOne) throw new ApiError("last_factor");
}
