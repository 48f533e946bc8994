import { sql } from "kysely";
import type { DirectoryDb } from "../../db/database.ts";
import type { AccountId, LinkId, MemberRole, PersonId } from "../../ids.ts";
import { mailFacts } from "../invitation-mail.ts";
import { isLive } from "../links.ts";

/** People and open invitations of an account. */
export const membersMax = 200;

export async function findAccountName(
  db: DirectoryDb,
  accountId: AccountId,
): Promise<string | null> {
  const row = await db
    .selectFrom("accounts")
    .select("name")
    .where("id", "=", accountId)
    .executeTakeFirst();
  return row?.name ?? null;
}

export async function findRole(
  db: DirectoryDb,
  accountId: AccountId,
  personId: PersonId,
): Promise<MemberRole | undefined> {
  const row = await db
    .selectFrom("members")
    .select("role")
    .where("person_id", "=", personId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row?.role;
}

/** The accounts of a person and their test accounts. */
export async function listAccountsOf(
  directory: DirectoryDb,
  personId: PersonId,
): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from members m join accounts a on m.account_id in (a.id, a.test_of)
    where m.person_id = ${personId}`.execute(directory);
  return rows.map(({ id }) => id);
}

/** Whether a person belongs to an account, or to that of which it is the test account. */
export async function isPersonOf(
  directory: DirectoryDb,
  accountId: AccountId,
  personId: PersonId,
): Promise<boolean> {
  const { rows } = await sql`
    select from members m join accounts a on m.account_id = coalesce(a.test_of, a.id)
    where a.id = ${accountId} and m.person_id = ${personId}`.execute(directory);
  return rows.length > 0;
}

/** All of them: an account has at most `membersMax`. */
export async function listMembers(db: DirectoryDb, accountId: AccountId) {
  return db
    .selectFrom("members as m")
    .innerJoin("people as p", "p.id", "m.person_id")
    .select(["p.id as personId", "p.email", "p.name", "m.role", "m.created_at as createdAt"])
    .where("m.account_id", "=", accountId)
    .orderBy("m.person_id")
    .limit(membersMax)
    .execute();
}

export async function listInvitations(db: DirectoryDb, accountId: AccountId) {
  return db
    .selectFrom("one_time_links")
    .select([
      "id as invitationId",
      "email",
      "role",
      "created_at as createdAt",
      "expires_at as expiresAt",
      ...mailFacts,
    ])
    .where("account_id", "=", accountId)
    .where(isLive())
    .orderBy("id")
    .limit(membersMax)
    .execute();
}

/** Returns whether the person was none yet. */
export async function insertMember(
  db: DirectoryDb,
  member: { accountId: AccountId; personId: PersonId; role: MemberRole },
): Promise<boolean> {
  const { accountId, personId, role } = member;
  const result = await db
    .insertInto("members")
    .values({ account_id: accountId, person_id: personId, role })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function updateRole(
  db: DirectoryDb,
  { accountId, personId, role }: { accountId: AccountId; personId: PersonId; role: MemberRole },
): Promise<void> {
  await db
    .updateTable("members")
    .set({ role })
    .where("person_id", "=", personId)
    .where("account_id", "=", accountId)
    .execute();
}

export async function deleteMember(
  db: DirectoryDb,
  accountId: AccountId,
  personId: PersonId,
): Promise<void> {
  await db
    .deleteFrom("members")
    .where("person_id", "=", personId)
    .where("account_id", "=", accountId)
    .execute();
}

/** Returns the invitation that is gone. */
export async function deleteInvitation(db: DirectoryDb, accountId: AccountId, id: LinkId) {
  return db
    .deleteFrom("one_time_links")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .returning(["email", "role"])
    .executeTakeFirst();
}

export async function deleteInvitationsTo(
  db: DirectoryDb,
  accountId: AccountId,
  email: string,
): Promise<void> {
  await db
    .deleteFrom("one_time_links")
    .where("account_id", "=", accountId)
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .execute();
}
