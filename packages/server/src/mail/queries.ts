import { sql } from "kysely";
import type { DirectoryDb } from "../db/database.ts";
import { isNotStuck } from "../db/stuck-rows.ts";
import type { MailContent } from "../db/tables/people.ts";
import type { MailId } from "../ids.ts";

export const mailsLoop = "mails";

export interface DueMail {
  id: MailId;
  recipient: string;
  content: MailContent;
}

/** Takes due mails; those of a worker that dies are due again after the lease. */
export async function takeMails(
  db: DirectoryDb,
  rowsMax: number,
  leaseMs: number,
): Promise<DueMail[]> {
  const { rows } = await sql<DueMail>`
    update mails set next_try_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
    where id in (
      select id from mails
      where next_try_at <= now() and expires_at > now() and ${isNotStuck(mailsLoop, sql.ref("mails.id"))}
      order by next_try_at limit ${rowsMax} for update skip locked)
    returning id, recipient, content`.execute(db);
  return rows;
}

/** Releases a mail after a failure: it is due again as soon as its row is not stuck any more. */
export async function releaseMail(db: DirectoryDb, id: MailId): Promise<void> {
  await db
    .updateTable("mails")
    .set({ next_try_at: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
}

export async function deleteMail(db: DirectoryDb, id: MailId): Promise<void> {
  await db.deleteFrom("mails").where("id", "=", id).execute();
}

/** Everything that waits for a recipient. */
export async function deleteMailsTo(db: DirectoryDb, recipient: string): Promise<void> {
  await db.deleteFrom("mails").where(sql`lower(recipient)`, "=", recipient.toLowerCase()).execute();
}

/** Mails that could not be sent in time. */
export async function deleteExpiredMails(db: DirectoryDb, rowsMax: number): Promise<MailId[]> {
  const old = db
    .selectFrom("mails")
    .select("id")
    .where("expires_at", "<=", sql<Date>`now()`)
    .orderBy("next_try_at")
    .limit(rowsMax);
  const rows = await db.deleteFrom("mails").where("id", "in", old).returning("id").execute();
  return rows.map(({ id }) => id);
}
