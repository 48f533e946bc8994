import { sql } from "kysely";
import type { DirectoryDb } from "../db/database.ts";
import type { Language } from "../db/tables/people.ts";
import type { PersonId } from "../ids.ts";

export async function findPersonByEmail(
  db: DirectoryDb,
  email: string,
): Promise<
  { id: PersonId; email: string; passwordHash: string | null; language: Language } | undefined
> {
  return db
    .selectFrom("people")
    .select(["id", "email", "password_hash as passwordHash", "language"])
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .executeTakeFirst();
}

export async function insertPerson(
  db: DirectoryDb,
  person: {
    id: PersonId;
    email: string;
    name: string;
    language: Language;
    passwordHash: string | null;
  },
): Promise<void> {
  const { id, email, name, language, passwordHash } = person;
  await db
    .insertInto("people")
    .values({ id, email, name, language, password_hash: passwordHash })
    .execute();
}

/** Sets a password by a link, which is noted. */
export async function linkPassword(
  db: DirectoryDb,
  personId: PersonId,
  hash: string,
): Promise<void> {
  await db
    .updateTable("people")
    .set({ password_hash: hash, password_linked_at: sql<Date>`now()` })
    .where("id", "=", personId)
    .execute();
}

export async function findPerson(db: DirectoryDb, personId: PersonId) {
  return db
    .selectFrom("people")
    .select(["id", "email", "name", "language", "password_hash as passwordHash"])
    .where("id", "=", personId)
    .executeTakeFirst();
}

const accountsMax = 100;

/** The accounts of a person, the oldest first. */
export async function listAccounts(db: DirectoryDb, personId: PersonId) {
  return db
    .selectFrom("members as m")
    .innerJoin("accounts as a", "a.id", "m.account_id")
    .leftJoin("accounts as t", "t.test_of", "a.id")
    .select(["a.id as accountId", "a.name", "m.role", "t.id as testAccountId"])
    .where("m.person_id", "=", personId)
    .where("a.closed_at", "is", null)
    .orderBy("m.account_id")
    .limit(accountsMax)
    .execute();
}

export async function updatePerson(
  db: DirectoryDb,
  personId: PersonId,
  changes: Partial<{
    email: string;
    name: string;
    language: Language;
    password_hash: string | null;
  }>,
): Promise<void> {
  await db.updateTable("people").set(changes).where("id", "=", personId).execute();
}
