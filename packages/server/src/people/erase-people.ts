import { erasePersonAudit } from "../audit/erase-audit.ts";
import { type DirectoryDb, inTransaction } from "../db/database.ts";
import type { AccountId, PersonId } from "../ids.ts";
import { deleteMailsTo } from "../mail/queries.ts";

/**
 * Removes all members and invitations of an account that is erased. A person who is in no other account and
 * not on the staff is erased. Runs as the owner of the schema.
 */
export async function erasePeople(db: DirectoryDb, accountId: AccountId): Promise<number> {
  const invited = await db
    .deleteFrom("one_time_links")
    .where(({ eb, or }) =>
      or([eb("account_id", "=", accountId), eb("owned_account_id", "=", accountId)]),
    )
    .returning("email")
    .execute();
  for (const { email } of invited) await deleteMailsTo(db, email);
  const members = await db
    .selectFrom("members")
    .select("person_id as personId")
    .where("account_id", "=", accountId)
    .execute();
  for (const { personId } of members)
    await inTransaction(db, async (tx) => {
      await tx
        .deleteFrom("members")
        .where("account_id", "=", accountId)
        .where("person_id", "=", personId)
        .execute();
      await erasePerson(tx, personId);
    });
  return members.length;
}

async function erasePerson(db: DirectoryDb, personId: PersonId): Promise<void> {
  const erased = await db
    .deleteFrom("people")
    .where("id", "=", personId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("members").select("role").where("person_id", "=", personId))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("staff").select("role").where("person_id", "=", personId))),
    )
    .returning("email")
    .executeTakeFirst();
  if (erased === undefined) return;
  await deleteMailsTo(db, erased.email);
  await erasePersonAudit(db, personId);
}
