import { sql } from "kysely";
import type { StaffRole } from "../../actor.ts";
import type { Db } from "../../db/database.ts";
import type { LinkId, PersonId } from "../../ids.ts";
import { isLive } from "../links.ts";

/** People and open invitations of the deployment. */
export const staffMax = 500;

/** Serialises changes of the staff: it is small and rarely changes. */
export async function lockStaff(db: Db): Promise<void> {
  await sql`lock table staff in share row exclusive mode`.execute(db);
}

export async function listStaff(db: Db) {
  return db
    .selectFrom("staff as s")
    .innerJoin("people as p", "p.id", "s.person_id")
    .select(["p.id as personId", "p.email", "p.name", "s.role", "s.created_at as createdAt"])
    .orderBy("s.person_id")
    .limit(staffMax)
    .execute();
}

export async function listStaffInvitations(db: Db) {
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
    .where("kind", "=", "staff")
    .where(isLive())
    .orderBy("id")
    .limit(staffMax)
    .execute();
}

/** Returns whether the person was none of them yet. */
export async function insertStaff(db: Db, personId: PersonId, role: StaffRole): Promise<boolean> {
  const result = await db
    .insertInto("staff")
    .values({ person_id: personId, role })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function updateStaff(db: Db, personId: PersonId, role: StaffRole): Promise<void> {
  await db.updateTable("staff").set({ role }).where("person_id", "=", personId).execute();
}

export async function deleteStaff(db: Db, personId: PersonId): Promise<void> {
  await db.deleteFrom("staff").where("person_id", "=", personId).execute();
}

export async function deleteStaffInvitation(db: Db, id: LinkId) {
  return db
    .deleteFrom("one_time_links")
    .where("id", "=", id)
    .where("kind", "=", "staff")
    .returning(["email", "role"])
    .executeTakeFirst();
}

export async function deleteStaffInvitationsTo(db: Db, email: string): Promise<void> {
  await db
    .deleteFrom("one_time_links")
    .where("kind", "=", "staff")
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .execute();
}
