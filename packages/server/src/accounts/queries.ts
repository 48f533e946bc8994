import { sql } from "kysely";
import type { Connections } from "../db/connections.ts";
import type { Db, SharedDb, SharedTx, Tx } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";
import type { Scope } from "../db/tables/accounts.ts";
import type { AccountId, KeyId, MemberRole, PersonId, SessionId } from "../ids.ts";
import { AccountMoved } from "./account-moved.ts";

/** What an account pays by. It is compared with its row when a task is accepted. */
export interface PriceTerms {
  /** `null`: the book of the deployment. */
  priceBook: string | null;
  discount?: Discount | null;
}

/** Until a time in milliseconds since 1970. */
export interface Discount {
  basisPoints: number;
  until: number;
}

/** The columns of the terms, of the table `a`. */
export const termsColumns = `a.price_schedule as "priceBook", case when a.discount is not null then json_build_object(
  'basisPoints', a.discount, 'until', floor(extract(epoch from a.discount_until) * 1000)) end as discount`;

/** The account of a request, and the key or the session that called, with the limits of the key. */
export interface Caller extends PriceTerms {
  id: AccountId;
  /** `null`: a signed-in person calls. */
  keyId: KeyId | null;
  session?: { id: SessionId; personId: PersonId; role: MemberRole };
  /** `null`: all models. */
  models: string[] | null;
  /** `null`: the limit of the deployment. */
  requestsPerMinuteMax: number | null;
  /** `null`: all of them. */
  scopes: Scope[] | null;
  /** It can be read, and accepts nothing new. */
  isSuspended?: boolean;
  /** A test account. */
  isTest?: boolean;
  /** Test mode is switched off for the account. */
  isTestModeOff?: boolean;
  /** The shard that it lives in, if that is another one. */
  movedTo?: number | null;
}

/** The callers of the keys with these hashes, in their order. A prepared statement without the query builder. */
export async function findCallers(
  pool: Connections,
  keyHashes: readonly Buffer[],
): Promise<(Caller | undefined)[]> {
  const { rows } = await pool.query<Caller & { hash: Buffer }>({
    name: "find callers",
    text: `select k.hash, a.id, ${termsColumns}, k.id as "keyId", k.models,
                  k.requests_per_minute_max as "requestsPerMinuteMax", k.scopes,
                  a.suspended_at is not null as "isSuspended", a.moved_to as "movedTo",
                  a.test_of is not null as "isTest", a.test_mode_off_at is not null as "isTestModeOff"
           from api_keys k join accounts a on a.id = k.account_id
           where k.hash = any ($1::bytea[]) and (a.moved_to is not null
             or (k.revoked_at is null and (k.expires_at is null or k.expires_at > now())))`,
    values: [keyHashes],
  });
  const found = new Map(rows.map(({ hash, ...caller }) => [hash.toString("latin1"), caller]));
  return keyHashes.map((hash) => found.get(hash.toString("latin1")));
}

/** The terms of an account as its row has them now. */
export async function readTerms(pool: Connections, accountId: AccountId): Promise<PriceTerms> {
  const { rows } = await pool.query<PriceTerms>({
    name: "read terms",
    text: `select ${termsColumns} from accounts a where id = $1`,
    values: [accountId],
  });
  const [row] = rows;
  if (row === undefined) throw new AccountMoved();
  return row;
}

/** The shard that the account lives in, if that is another one. */
export async function findMovedTo(pool: Connections, accountId: AccountId): Promise<number | null> {
  const { rows } = await pool.query<{ movedTo: number | null }>({
    name: "find moved",
    text: `select moved_to as "movedTo" from accounts where id = $1`,
    values: [accountId],
  });
  return rows[0]?.movedTo ?? null;
}

/** The given keys that are revoked, have expired or have lost one of the given scopes that a stream may need. */
export async function findEndedKeys<Key extends { keyId: KeyId; scopes: Scope[] | null }>(
  pool: Connections,
  keys: readonly Key[],
): Promise<Key[]> {
  const { rows } = await pool.query<{ place: number }>({
    name: "find ended keys",
    text: `select seen.place::int as place
           from unnest($1::uuid[], $2::text[]) with ordinality as seen (id, scopes, place)
           join api_keys k using (id)
           where k.revoked_at is not null or k.expires_at <= now()
             or exists (select from unnest(coalesce(seen.scopes, '{tasks,webhooks}')::text[]) as scope
                        where scope in ('tasks', 'webhooks', 'read') and scope <> all (k.scopes))`,
    values: [
      keys.map(({ keyId }) => keyId),
      keys.map(({ scopes }) => (scopes === null ? null : `{${scopes.join(",")}}`)),
    ],
  });
  const ended = new Set(rows.map(({ place: index }) => index - 1));
  return keys.filter((_key, index) => ended.has(index));
}

/**
 * Locks the account's row until the transaction ends, so that what is decided about the account (its
 * number of keys; in `accept_tasks` open tasks and balance) is decided by one at a time. Nothing is
 * found of an account that is closed. In the directory, what is decided about its people is decided under its
 * forwarding row, if it lives elsewhere.
 */
export async function lockAccount(
  tx: SharedTx,
  accountId: AccountId,
): Promise<{ isTest: boolean; isTestModeOff: boolean; movedTo: number | null } | undefined> {
  return tx
    .selectFrom("accounts")
    .select([
      sql<boolean>`test_of is not null`.as("isTest"),
      sql<boolean>`test_mode_off_at is not null`.as("isTestModeOff"),
      "moved_to as movedTo",
    ])
    .where("id", "=", accountId)
    .where("closed_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Locks an account for data that is kept in its shard; people and their rights are kept in the directory. */
export async function lockAccountHere(
  tx: Tx,
  accountId: AccountId,
): Promise<{ isTest: boolean } | undefined> {
  const account = await lockAccount(tx, accountId);
  if (account !== undefined && account.movedTo !== null) throw new AccountMoved();
  return account;
}

/** Returns the maximum number of open tasks of the account, and how many more it can open. */
export async function readOpenTasks(
  db: Db,
  accountId: AccountId,
): Promise<{ openTasksMax: number; openTasksLeft: number }> {
  const { max, open } = await db
    .selectFrom("accounts as a")
    .select(["a.open_tasks_max as max"])
    .select(
      sql<number>`(select count(*)::int from open_tasks o where o.account_id = a.id)`.as("open"),
    )
    .where("a.id", "=", accountId)
    .executeTakeFirstOrThrow();
  return { openTasksMax: max, openTasksLeft: Math.max(max - open, 0) };
}

/** Creates the test account of an account unless it exists; returns whether it did. */
export async function insertTestAccount(
  db: Db,
  { id, accountId, webhookSecret }: { id: AccountId; accountId: AccountId; webhookSecret: string },
): Promise<boolean> {
  const made = await sql`
    insert into accounts (id, name, price_schedule, discount, discount_until, open_tasks_max, webhook_secret, test_of,
                          suspended_at, suspended_reason, test_mode_off_at)
    select ${id}, name, price_schedule, discount, discount_until, open_tasks_max, ${webhookSecret}, id, suspended_at, suspended_reason,
           test_mode_off_at
    from accounts where id = ${accountId} and test_of is null and closed_at is null
    on conflict do nothing`.execute(db);
  return changedRows(made) > 0;
}

export async function findTestAccount(
  db: Db,
  accountId: AccountId,
): Promise<AccountId | undefined> {
  const row = await db
    .selectFrom("accounts")
    .select("id")
    .where("test_of", "=", accountId)
    .executeTakeFirst();
  return row?.id;
}

export async function isTestAccount(db: Db, accountId: AccountId): Promise<boolean> {
  const row = await db
    .selectFrom("accounts")
    .select(sql<boolean>`test_of is not null`.as("isTest"))
    .where("id", "=", accountId)
    .executeTakeFirst();
  return row?.isTest ?? false;
}

/** The account that a test account belongs to, or the account itself. */
export async function findLiveAccount(db: SharedDb, accountId: AccountId): Promise<AccountId> {
  const row = await db
    .selectFrom("accounts")
    .select(sql<AccountId>`coalesce(test_of, id)`.as("id"))
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function hasAccount(db: Db, accountId: AccountId): Promise<boolean> {
  const row = await db
    .selectFrom("accounts")
    .select("id")
    .where("id", "=", accountId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertAccount(
  db: Db,
  account: {
    id: AccountId;
    name: string;
    priceBook: string | null;
    openTasksMax: number;
    creditsLow: number;
    webhookSecret: string;
  },
): Promise<void> {
  await db
    .insertInto("accounts")
    .values({
      id: account.id,
      name: account.name,
      price_schedule: account.priceBook,
      open_tasks_max: account.openTasksMax,
      credits_low: account.creditsLow,
      webhook_secret: account.webhookSecret,
    })
    .execute();
}

/** The limits of a key; `null` is no limit. */
export interface KeyLimits {
  expiresAt: Date | null;
  models: string[] | null;
  requestsPerMinuteMax: number | null;
  creditsMax: number | null;
  scopes: Scope[] | null;
}

export async function listKeys(db: Db, accountId: AccountId) {
  return db
    .selectFrom("api_keys")
    .select([
      "id",
      "name",
      "hint",
      "created_at as createdAt",
      "revoked_at as revokedAt",
      "expires_at as expiresAt",
      "models",
      "requests_per_minute_max as requestsPerMinuteMax",
      "credits_max as creditsMax",
      "credits_used as creditsUsed",
      "scopes",
    ])
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .execute();
}

/** The account of a live key. */
export async function findAccountOf(db: Db, keyId: KeyId): Promise<AccountId | undefined> {
  const row = await db
    .selectFrom("api_keys")
    .select("account_id as accountId")
    .where("id", "=", keyId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return row?.accountId;
}

export async function markKeyRevoked(db: Db, keyId: KeyId): Promise<boolean> {
  const result = await db
    .updateTable("api_keys")
    .set({ revoked_at: new Date() })
    .where("id", "=", keyId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
