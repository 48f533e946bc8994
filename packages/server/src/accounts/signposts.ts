import { sql } from "kysely";
import type { Place } from "../context.ts";
import type { Db } from "../db/database.ts";
import type { AccountId } from "../ids.ts";
import { LivesElsewhere } from "./lives-elsewhere.ts";

/**
 * What home has of an account that lives in another shard: a row with its name, so that members and
 * invitations can refer to it, and with the number of the shard. What it is worth and what it may do is
 * in its own row alone.
 */

/** Nobody can sign with it: the account's own secret is where the account lives. */
const noSecret = "";

/** Before the account itself: a signpost that leads nowhere harms nobody, an account without one has no people. */
export async function insertSignpost(
  { home, config }: Place,
  { id, name }: { id: AccountId; name: string },
): Promise<void> {
  const { shard } = config.database;
  if (shard === 0) return;
  await home.db
    .insertInto("accounts")
    .values({ id, name, price_schedule: null, webhook_secret: noSecret, moved_to: shard })
    .execute();
}

/**
 * The id of the test account to make, which people name in a header, too. Home decides it: whoever
 * tries again after a failure gets the same one. Undefined: the account is closed, or there is none.
 */
export async function claimTestId(
  { home, config }: Place,
  { id, accountId }: { id: AccountId; accountId: AccountId },
): Promise<AccountId | undefined> {
  const { shard } = config.database;
  if (shard === 0) return id;
  await sql`
    insert into accounts (id, name, webhook_secret, test_of, moved_to)
    select ${id}, name, ${noSecret}, id, ${shard}
    from accounts where id = ${accountId} and test_of is null and closed_at is null
    on conflict (test_of) do nothing`.execute(home.db);
  const claimed = await home.db
    .selectFrom("accounts")
    .select("id")
    .where("test_of", "=", accountId)
    .executeTakeFirst();
  return claimed?.id;
}

/**
 * Has the signposts follow a change of their accounts. It is made before the change commits, or after it
 * by a command that is repeated until both are done: to make it twice has no effect. The service may
 * change the name, the owner of the schema the rest.
 */
export async function updateSignposts(
  { home, config }: Place,
  ids: readonly AccountId[],
  to: { name?: string; isClosed?: true; isErased?: true },
): Promise<void> {
  if (config.database.shard === 0) return;
  const set = {
    ...(to.name === undefined ? {} : { name: to.name }),
    ...(to.isClosed === undefined ? {} : { closed_at: sql<Date>`coalesce(closed_at, now())` }),
    ...(to.isErased === undefined ? {} : { erased_at: sql<Date>`coalesce(erased_at, now())` }),
  };
  await home.db
    .updateTable("accounts")
    .set(set)
    .where("id", "in", ids)
    .where("moved_to", "is not", null)
    .execute();
}

/** What a signpost says is not the account's: its credits, its limits and its keys are elsewhere. */
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
