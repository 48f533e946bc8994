import { sql } from "kysely";
import type { ShardContext } from "../context.ts";
import type { Db } from "../db/database.ts";
import type { AccountId } from "../ids.ts";
import { LivesElsewhere } from "./lives-elsewhere.ts";

/**
 * The forwarding row is the directory's record of an account that lives in another shard: a row with its
 * name, so that members and invitations can refer to it, and with the number of the shard. Its credits and
 * limits are only in the account's own row.
 */

/**
 * The webhook secret of a forwarding row, with which nobody can sign: the account's own secret is in its
 * shard.
 */
const noSecret = "";

/**
 * Inserts the forwarding row. It comes before the account: a forwarding row that leads nowhere is harmless,
 * an account without one has no people.
 */
export async function insertForwardingRow(
  { directory, config }: ShardContext,
  { id, name }: { id: AccountId; name: string },
): Promise<void> {
  const { shard } = config.database;
  if (shard === 0) return;
  await directory.db
    .insertInto("accounts")
    .values({ id, name, price_schedule: null, webhook_secret: noSecret, moved_to: shard })
    .execute();
}

/**
 * Returns the id of the test account to make, which people also name in a header. The directory assigns it:
 * a retry after a failure gets the same one. Undefined: the account is closed, or there is none.
 */
export async function claimTestId(
  { directory, config }: ShardContext,
  { id, accountId }: { id: AccountId; accountId: AccountId },
): Promise<AccountId | undefined> {
  const { shard } = config.database;
  if (shard === 0) return id;
  await sql`
    insert into accounts (id, name, webhook_secret, test_of, moved_to)
    select ${id}, name, ${noSecret}, id, ${shard}
    from accounts where id = ${accountId} and test_of is null and closed_at is null
    on conflict (test_of) do nothing`.execute(directory.db);
  const claimed = await directory.db
    .selectFrom("accounts")
    .select("id")
    .where("test_of", "=", accountId)
    .executeTakeFirst();
  return claimed?.id;
}

/**
 * Has the forwarding rows follow a change of their accounts. It is made before the change commits, or after
 * it by a command that is repeated until both are done: to make it twice has no effect. The service may
 * change the name, the owner of the schema the rest.
 */
export async function updateForwardingRows(
  { directory, config }: ShardContext,
  ids: readonly AccountId[],
  to: { name?: string; isClosed?: true; isErased?: true },
): Promise<void> {
  if (config.database.shard === 0) return;
  const { name, isClosed, isErased } = to;
  await directory.db
    .updateTable("accounts")
    .set({
      name,
      closed_at: isClosed && sql<Date>`coalesce(closed_at, now())`,
      erased_at: isErased && sql<Date>`coalesce(erased_at, now())`,
    })
    .where("id", "in", ids)
    .where("moved_to", "is not", null)
    .execute();
}

/**
 * Requires that the account's own row is here. A forwarding row does not have its credits, its limits and its
 * keys.
 */
export async function requireLivesHere(db: Db, accountId: AccountId): Promise<void> {
  const row = await db
    .selectFrom("accounts")
    .select("moved_to as movedTo")
    .where("id", "=", accountId)
    .executeTakeFirst();
  throwIfMoved(row?.movedTo);
}

export function throwIfMoved(movedTo: number | null | undefined): void {
  if (movedTo !== null && movedTo !== undefined) throw new LivesElsewhere(movedTo);
}
