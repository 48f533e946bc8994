import { sql } from "kysely";
import type { DirectoryDb } from "../../db/database.ts";
import type { Language } from "../../db/tables/people.ts";
import type { LinkId, PersonId, StaffRole } from "../../ids.ts";
import { mailFacts } from "../invitation-mail.ts";
import { isLive } from "../links.ts";

/** People and open invitations of the deployment. */
export const staffMax = 500;

/** Serialises changes of the staff: it is small and rarely changes. */
export async function lockStaff(db: DirectoryDb): Promise<void> {
  await sql`lock table staff in share row exclusive mode`.execute(db);
}

export async function listStaff(db: DirectoryDb) {
  return db
    .selectFrom("staff as s")
    .innerJoin("people as p", "p.id", "s.person_id")
    .select(["p.id as personId", "p.email", "p.name", "s.role", "s.created_at as createdAt"])
    .orderBy("s.person_id")
    .limit(staffMax)
    .execute();
}

/** Returns the people who judge assets: the reviewers, or the operators where there are none. */
export async function listReviewers(
  db: DirectoryDb,
): Promise<{ email: string; language: Language }[]> {
  const { rows } = await sql<{ email: string; language: Language }>`
    select p.email, p.language from staff s join people p on p.id = s.person_id
    where s.role = case when exists (select from staff where role = 'reviewer')
                        then 'reviewer' else 'operator' end
    order by s.person_id limit ${staffMax}`.execute(db);
  return rows;
}

export async function listOperators(
  db: DirectoryDb,
): Promise<{ email: string; language: Language }[]> {
  return db
    .selectFrom("staff as s")
    .innerJoin("people as p", "p.id", "s.person_id")
    .select(["p.email", "p.language"])
    .where("s.role", "=", "operator")
    .orderBy("s.person_id")
    .limit(staffMax)
    .execute();
}

export async function listStaffInvitations(db: DirectoryDb) {
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
    .where("kind", "=", "staff")
    .where(isLive())
    .orderBy("id")
    .limit(staffMax)
    .execute();
}

/**
 * Returns a person of the staff, and the one who began the chain of invitations: the person itself if
 * nobody invited it.
 */
export async function findStaff(
  db: DirectoryDb,
  personId: PersonId,
): Promise<{ days: number; role: StaffRole; origin: PersonId } | undefined> {
  return db
    .selectFrom("staff")
    .select([
      sql<number>`extract(epoch from now() - created_at)::float8 / 86400`.as("days"),
      "role",
      sql<PersonId>`coalesce(first_inviter, invited_by, person_id)`.as("origin"),
    ])
    .where("person_id", "=", personId)
    .executeTakeFirst();
}

/** Returns the inviter and the chain of invitations, which is stored because inviters may leave. */
function chainOf(invitedBy: PersonId | null) {
  const origin = sql<PersonId>`coalesce(
    (select coalesce(i.first_inviter, i.invited_by, i.person_id) from staff i where i.person_id = ${invitedBy}),
    ${invitedBy})`;
  return { invited_by: invitedBy, first_inviter: invitedBy === null ? null : origin };
}

/** Returns whether the person was none of them yet, or becomes an operator. */
export async function insertStaff(
  db: DirectoryDb,
  person: { personId: PersonId; role: StaffRole; invitedBy: PersonId | null },
): Promise<boolean> {
  const { personId, role, invitedBy } = person;
  const row = { role, ...chainOf(invitedBy), created_at: sql<Date>`now()` };
  const result = await db
    .insertInto("staff")
    .values({ person_id: personId, ...row })
    .onConflict((conflict) =>
      conflict
        .column("person_id")
        .doUpdateSet(row)
        .where("staff.role", "<>", "operator")
        .where("excluded.role", "=", "operator"),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Changes the role of a person. A new operator belongs to the chain of the person who promotes. */
export async function updateStaff(
  db: DirectoryDb,
  personId: PersonId,
  { role, by }: { role: StaffRole; by: PersonId | null },
): Promise<void> {
  const promoted = { role, ...chainOf(by), created_at: sql<Date>`now()` };
  await db
    .updateTable("staff")
    .set(role === "operator" ? promoted : { role })
    .where("person_id", "=", personId)
    .execute();
}

export async function deleteStaff(db: DirectoryDb, personId: PersonId): Promise<void> {
  await db.deleteFrom("staff").where("person_id", "=", personId).execute();
}

/** An invitation that waits for another operator. */
export async function findWaitingInvitation(tx: DirectoryDb, id: LinkId) {
  return tx
    .selectFrom("one_time_links")
    .select(["email", "role", "created_by as invitedBy"])
    .where("id", "=", id)
    .where("kind", "=", "staff")
    .where("awaits_approval", "=", true)
    .where(isLive())
    .forUpdate()
    .executeTakeFirst();
}

export async function markApproved(tx: DirectoryDb, id: LinkId): Promise<void> {
  await tx
    .updateTable("one_time_links")
    .set({ awaits_approval: false })
    .where("id", "=", id)
    .execute();
}

export async function deleteStaffInvitation(db: DirectoryDb, id: LinkId) {
  return db
    .deleteFrom("one_time_links")
    .where("id", "=", id)
    .where("kind", "=", "staff")
    .returning(["email", "role"])
    .executeTakeFirst();
}

/** Deletes the invitations to the staff by a person who has left it. */
export async function deleteStaffInvitationsBy(db: DirectoryDb, personId: PersonId): Promise<void> {
  await db
    .deleteFrom("one_time_links")
    .where("kind", "=", "staff")
    .where("created_by", "=", personId)
    .execute();
}

export async function deleteStaffInvitationsTo(db: DirectoryDb, email: string): Promise<void> {
  await db
    .deleteFrom("one_time_links")
    .where("kind", "=", "staff")
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .execute();
}
