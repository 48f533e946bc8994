import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { AccountId } from "../ids.ts";
import { isEncrypted } from "../key-ring.ts";

/** The SQL of webhook secrets as they are stored. */

/** Whether this database belongs to processes that have a key ring. */
export async function isNewestSecretEncrypted(db: Db): Promise<boolean> {
  const newest = await db
    .selectFrom("accounts")
    .select("webhook_secret as stored")
    .where("moved_to", "is", null)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest !== undefined && isEncrypted(newest.stored);
}

export interface StoredSecrets {
  accountId: AccountId;
  stored: string;
  storedBefore: string | null;
}

/** Accounts after the given one, in order. A signpost has no secret that anybody uses. */
export async function listSecrets(
  db: Db,
  after: AccountId | null,
  rowsMax: number,
): Promise<StoredSecrets[]> {
  let query = db
    .selectFrom("accounts")
    .select([
      "id as accountId",
      "webhook_secret as stored",
      "webhook_secret_before as storedBefore",
    ])
    .where("moved_to", "is", null)
    .orderBy("id")
    .limit(rowsMax);
  if (after !== null) query = query.where("id", ">", after);
  return query.execute();
}

/** Replaces what is still as it was read: a rotation in between wins. */
export async function replaceStored(
  db: Db,
  rows: readonly { from: StoredSecrets; to: StoredSecrets }[],
): Promise<void> {
  await sql`
    update accounts a set webhook_secret = n.stored, webhook_secret_before = n.before
    from unnest(${rows.map(({ to }) => to.accountId)}::uuid[],
                ${rows.map(({ from }) => from.stored)}::text[],
                ${rows.map(({ from }) => from.storedBefore)}::text[],
                ${rows.map(({ to }) => to.stored)}::text[],
                ${rows.map(({ to }) => to.storedBefore)}::text[])
      as n (id, was, before_was, stored, before)
    where a.id = n.id and a.webhook_secret = n.was
      and a.webhook_secret_before is not distinct from n.before_was`.execute(db);
}
