import { createHash, randomBytes } from "node:crypto";
import { newId } from "@zoetrope/dev/open-accounts.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import type { Bed } from "./bed.ts";

export type Role = "owner" | "developer" | "viewer";
export type StaffRole = "operator" | "support" | "reviewer";

export interface Person {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  /** Value of the session's cookie. */
  readonly token: string;
}

interface PersonPlan {
  name?: string;
  staffRole?: StaffRole | undefined;
  memberships?: readonly { accountId: string; role: Role }[];
}

/** Somebody who is signed in, straight in the database: a password costs a tenth of a second. */
export async function openPerson(bed: Bed, plan: PersonPlan): Promise<Person> {
  const personId = newId();
  const { name = "Ada Lovelace", staffRole, memberships = [] } = plan;
  const email = `${personId}@example.com`;
  await withClient(bed.stack.databaseOwnerUrl, async (db) => {
    await db.query("insert into people (id, email, name) values ($1, $2, $3)", [
      ...[personId, email, name],
    ]);
    if (staffRole !== undefined)
      await db.query("insert into staff (person_id, role) values ($1, $2)", [personId, staffRole]);
    for (const { accountId, role } of memberships)
      await db.query("insert into members (person_id, account_id, role) values ($1, $2, $3)", [
        ...[personId, accountId, role],
      ]);
  });
  return { personId, email, name, token: await openSession(bed, personId) };
}

/** Another session of somebody, as from another browser. */
export async function openSession(bed: Bed, personId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(token).digest();
  await withClient(bed.stack.databaseOwnerUrl, (db) =>
    db.query(
      `insert into sessions (id, person_id, hash, expires_at)
       values ($1, $2, $3, now() + interval '1 day')`,
      [newId(), personId, hash],
    ),
  );
  return token;
}
