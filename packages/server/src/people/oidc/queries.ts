import { sql } from "kysely";
import type { DirectoryDb, DirectoryTx } from "../../db/database.ts";
import { inMs } from "../../db/in-ms.ts";
import type { IdentityId, PersonId, SessionId } from "../../ids.ts";

/** The SQL of identities at an OpenID provider, and of visits to it. */

export const visitSecondsMax = 10 * 60;
/** Every new visit deletes up to as many old ones: there are never many more than live ones. */
const expiredPerInsert = 10;

interface Visit {
  nonce: string;
  /** The session of the person who links an identity or proves who they are. Null: a sign-in. */
  sessionId: SessionId | null;
  proves: boolean;
  invitationHash: Buffer | null;
  returnTo: string;
}

export async function insertVisit(
  db: DirectoryDb,
  visit: Visit & { stateHash: Buffer; verifierHash: Buffer },
): Promise<void> {
  await sql`
    delete from oidc_visits where state_hash in (
      select state_hash from oidc_visits where expires_at < now()
      order by expires_at limit ${expiredPerInsert} for update skip locked)`.execute(db);
  await db
    .insertInto("oidc_visits")
    .values({
      state_hash: visit.stateHash,
      verifier_hash: visit.verifierHash,
      nonce: visit.nonce,
      session_id: visit.sessionId,
      proves: visit.proves,
      invitation_hash: visit.invitationHash,
      return_to: visit.returnTo,
      expires_at: inMs(visitSecondsMax * 1000),
    })
    .execute();
}

/** Once, and only for the browser that began it. */
export async function takeVisit(
  db: DirectoryDb,
  stateHash: Buffer,
  verifierHash: Buffer,
): Promise<Visit | undefined> {
  return db
    .deleteFrom("oidc_visits")
    .where("state_hash", "=", stateHash)
    .where("verifier_hash", "=", verifierHash)
    .where("expires_at", ">", sql<Date>`now()`)
    .returning([
      "nonce",
      "session_id as sessionId",
      "proves",
      "invitation_hash as invitationHash",
      "return_to as returnTo",
    ])
    .executeTakeFirst();
}

/** The person of an identity, whose use is noted. */
export async function useIdentity(
  tx: DirectoryTx,
  issuer: string,
  subject: string,
): Promise<PersonId | undefined> {
  const used = await tx
    .updateTable("oidc_identities")
    .set({ used_at: sql`now()` })
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .returning("person_id as personId")
    .executeTakeFirst();
  return used?.personId;
}

/** The person that has it afterwards: another one if it was linked before. */
export async function putIdentity(
  tx: DirectoryTx,
  identity: {
    id: IdentityId;
    personId: PersonId;
    issuer: string;
    subject: string;
    email: string | null;
  },
): Promise<PersonId> {
  const { id, personId, issuer, subject, email } = identity;
  const put = await tx
    .insertInto("oidc_identities")
    .values({ id, person_id: personId, issuer, subject, email, used_at: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict.columns(["issuer", "subject"]).doUpdateSet({ used_at: sql<Date>`now()` }),
    )
    .returning("person_id as personId")
    .executeTakeFirstOrThrow();
  return put.personId;
}

/** The person of a session that is still valid. */
export async function findPersonOfSession(
  db: DirectoryDb,
  sessionId: SessionId,
): Promise<PersonId | undefined> {
  const found = await db
    .selectFrom("sessions")
    .select("person_id as personId")
    .where("id", "=", sessionId)
    .where("expires_at", ">", sql<Date>`now()`)
    .where("awaits_factor", "=", false)
    .executeTakeFirst();
  return found?.personId;
}

const identitiesMax = 20;

export async function listIdentities(db: DirectoryDb, personId: PersonId) {
  return db
    .selectFrom("oidc_identities")
    .select(["id", "issuer", "email", "created_at as createdAt", "used_at as usedAt"])
    .where("person_id", "=", personId)
    .orderBy("id")
    .limit(identitiesMax)
    .execute();
}

/** The issuer of what is gone; undefined: this person has no such identity. */
export async function deleteIdentity(
  tx: DirectoryTx,
  personId: PersonId,
  id: IdentityId,
): Promise<string | undefined> {
  const gone = await tx
    .deleteFrom("oidc_identities")
    .where("id", "=", id)
    .where("person_id", "=", personId)
    .returning("issuer")
    .executeTakeFirst();
  return gone?.issuer;
}
