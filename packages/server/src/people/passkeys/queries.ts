import { sql } from "kysely";
import type { DirectoryDb, DirectoryTx } from "../../db/database.ts";
import { inMs } from "../../db/in-ms.ts";
import type { PasskeyId, PersonId } from "../../ids.ts";

/** The SQL of passkeys and their challenges. */

const challengeMsMax = 5 * 60_000;
/** Every new challenge deletes up to as many old ones: there are never many more than live ones. */
const expiredPerInsert = 10;

export async function insertChallenge(
  db: DirectoryDb,
  hash: Buffer,
  personId: PersonId | null,
): Promise<void> {
  await sql`
    delete from passkey_challenges where hash in (
      select hash from passkey_challenges where expires_at < now()
      order by expires_at limit ${expiredPerInsert} for update skip locked)`.execute(db);
  await db
    .insertInto("passkey_challenges")
    .values({ hash, person_id: personId, expires_at: inMs(challengeMsMax) })
    .execute();
}

/** False: there is none, it is too old, it was for somebody or something else, or it was used before. */
export async function takeChallenge(
  db: DirectoryDb,
  hash: Buffer,
  personId: PersonId | null,
): Promise<boolean> {
  const taken = await db
    .deleteFrom("passkey_challenges")
    .where("hash", "=", hash)
    .where("person_id", "is not distinct from", personId)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return taken.numDeletedRows === 1n;
}

export async function lockPerson(tx: DirectoryTx, personId: PersonId): Promise<void> {
  await sql`select id from people where id = ${personId} for update`.execute(tx);
}

export interface NewPasskey {
  id: PasskeyId;
  personId: PersonId;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
}

export async function insertPasskey(tx: DirectoryTx, passkey: NewPasskey): Promise<void> {
  await tx
    .insertInto("passkeys")
    .values({
      id: passkey.id,
      person_id: passkey.personId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      name: passkey.name,
    })
    .execute();
}

/** Returns the passkeys of a person, at most as many as a person may have. */
export async function listPasskeys(db: DirectoryDb, personId: PersonId, rowsMax: number) {
  return db
    .selectFrom("passkeys")
    .select([
      "id",
      "name",
      "credential_id as credentialId",
      "transports",
      "created_at as createdAt",
      "used_at as usedAt",
    ])
    .where("person_id", "=", personId)
    .orderBy("id")
    .limit(rowsMax)
    .execute();
}

export async function findPasskey(db: DirectoryDb, credentialId: Buffer) {
  return db
    .selectFrom("passkeys")
    .select(["id", "person_id as personId", "public_key as publicKey", "counter"])
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
}

/** False: another signature with this count or a higher one was accepted meanwhile, or it was removed. */
export async function noteUse(tx: DirectoryTx, id: PasskeyId, counter: number): Promise<boolean> {
  const noted = await tx
    .updateTable("passkeys")
    .set({ counter, used_at: sql`now()` })
    .where("id", "=", id)
    .where(({ eb, or, and }) =>
      or([eb("counter", "<", counter), and([eb("counter", "=", 0), eb.val(counter === 0)])]),
    )
    .executeTakeFirstOrThrow();
  return noted.numUpdatedRows === 1n;
}

/** The name of what is gone; undefined: this person has no such passkey. */
export async function deletePasskey(
  tx: DirectoryTx,
  personId: PersonId,
  id: PasskeyId,
): Promise<string | undefined> {
  const gone = await tx
    .deleteFrom("passkeys")
    .where("id", "=", id)
    .where("person_id", "=", personId)
    .returning("name")
    .executeTakeFirst();
  return gone?.name;
}
