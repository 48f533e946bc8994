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
  /** The number of days for which a member of the staff has been one. */
  staffDays?: number;
  memberships?: readonly { accountId: string; role: Role }[];
}

/** Somebody who is signed in, straight in the database: a password costs a tenth of a second. */
export async function openPerson(bed: Bed, plan: PersonPlan): Promise<Person> {
  const personId = newId();
  const { name = "Ada Lovelace", staffRole, staffDays = 0, memberships = [] } = plan;
  const email = `${personId}@example.com`;
  await withClient(bed.stack.databaseOwnerUrl, async (db) => {
    await db.query("insert into people (id, email, name) values ($1, $2, $3)", [
      personId,
      email,
      name,
    ]);
    if (staffRole !== undefined)
      await db.query(
        "insert into staff (person_id, role, created_at) values ($1, $2, now() - $3 * interval '1 day')",
        [personId, staffRole, staffDays],
      );
    for (const { accountId, role } of memberships)
      await db.query("insert into members (person_id, account_id, role) values ($1, $2, $3)", [
        personId,
        accountId,
        role,
      ]);
  });
  return { personId, email, name, token: await openSession(bed, personId) };
}

/** A user agent as long as those that browsers send. */
const userAgent =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0";

/** Another session of somebody, as from another browser. */
export async function openSession(bed: Bed, personId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(token).digest();
  await withClient(bed.stack.databaseOwnerUrl, (db) =>
    db.query(
      `insert into sessions (id, person_id, hash, expires_at, user_agent)
       values ($1, $2, $3, now() + interval '1 day', $4)`,
      [newId(), personId, hash, userAgent],
    ),
  );
  return token;
}

/** Half an hour later: the sessions of somebody are no longer fresh. */
export async function ageSessions(bed: Bed, personId: string): Promise<void> {
  await withClient(bed.stack.databaseOwnerUrl, (db) =>
    db.query("update sessions set proved_at = now() - interval '30 minutes' where person_id = $1", [
      personId,
    ]),
  );
}

/** Sets a password through a link, as from a mail. It ends the person's existing sessions. */
export async function givePassword(bed: Bed, personId: string, password: string): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(token).digest();
  await withClient(bed.stack.databaseOwnerUrl, (db) =>
    db.query(
      `insert into one_time_links (id, kind, email, person_id, hash, expires_at)
       select $1, 'password', email, id, $2, now() + interval '1 hour' from people where id = $3`,
      [newId(), hash, personId],
    ),
  );
  const answer = await fetch(`${bed.origin}/api/v1/password/reset`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: bed.origin },
    body: JSON.stringify({ token, password }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
