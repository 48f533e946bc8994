import { sql } from "kysely";
import type { MemberRole } from "../../actor.ts";
import type { Db } from "../../db/database.ts";
import type { AccountId, LinkId, PersonId } from "../../ids.ts";
import { isLive } from "../links.ts";

/** People and open invitations of an account. */
export const membersMax = 200;

export async function findAccountName(db: Db, accountId: AccountId): Promise<string | null> {
  const row = await db
    .selectFrom("accounts")
    .select("name")
    .where("id", "=", accountId)
    .executeTakeFirst();
  return row?.name ?? null;
}

export async function findRole(
  db: Db,
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

/** All of them: an account has at most `membersMax`. */
export async function listMembers(db: Db, accountId: AccountId) {
  return db
    .selectFrom("members as m")
    .innerJoin("people as p", "p.id", "m.person_id")
    .select(["p.id as personId", "p.email", "p.name", "m.role", "m.created_at as createdAt"])
    .where("m.account_id", "=", accountId)
    .orderBy("m.person_id")
    .limit(membersMax)
    .execute();
}

export async function listInvitations(db: Db, accountId: AccountId) {
  return db
    .selectFrom("one_time_links")
    .select([
      "id as invitationId",
      "email",
      "role",
      "created_by as invitedBy",
      "created_at as createdAt",
      "expires_at as expiresAt",
    ])
    .where("account_id", "=", accountId)
    .where(isLive())
    .orderBy("id")
    .limit(membersMax)
    .execute();
}

/** Returns whether the person was none yet. */
export async function insertMember(
  db: Db,
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
  db: Db,
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
  db: Db,
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
export async function deleteInvitation(db: Db, accountId: AccountId, id: LinkId) {
  return db
    .deleteFrom("one_time_links")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .returning(["email", "role"])
    .executeTakeFirst();
}

export async function deleteInvitationsTo(
  db: Db,
  accountId: AccountId,
  email: string,
): Promise<void> {
  await db
    .deleteFrom("one_time_links")
    .where("account_id", "=", accountId)
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .execute();
}
