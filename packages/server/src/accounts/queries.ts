import type { Db, Tx } from "../db/database.ts";
import type { PriceSchedule } from "../db/schema.ts";

/** The caller, as every use case sees it. */
export interface Account {
  id: string;
  priceSchedule: PriceSchedule | null;
}

export async function findAccountByKeyHash(db: Db, hash: Buffer): Promise<Account | undefined> {
  return db
    .selectFrom("api_keys")
    .innerJoin("accounts", "accounts.id", "api_keys.account_id")
    .select(["accounts.id", "accounts.price_schedule as priceSchedule"])
    .where("api_keys.hash", "=", hash)
    .where("api_keys.revoked_at", "is", null)
    .executeTakeFirst();
}

/**
 * Locks the account's row until the transaction ends, so that what is decided about the account
 * (open tasks, balance, number of keys) is decided by one at a time.
 */
export async function lockAccount(
  tx: Tx,
  accountId: string,
): Promise<{ openTasksMax: number } | undefined> {
  return tx
    .selectFrom("accounts")
    .select("open_tasks_max as openTasksMax")
    .where("id", "=", accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function insertAccount(
  db: Db,
  account: {
    id: string;
    name: string;
    priceSchedule: PriceSchedule | null;
    openTasksMax: number;
    webhookSecret: string;
  },
): Promise<void> {
  await db
    .insertInto("accounts")
    .values({
      id: account.id,
      name: account.name,
      price_schedule: account.priceSchedule,
      open_tasks_max: account.openTasksMax,
      webhook_secret: account.webhookSecret,
    })
    .execute();
}

export async function insertKey(
  db: Db,
  key: { id: string; accountId: string; name: string; hint: string; hash: Buffer },
): Promise<void> {
  await db
    .insertInto("api_keys")
    .values({
      id: key.id,
      account_id: key.accountId,
      name: key.name,
      hint: key.hint,
      hash: key.hash,
    })
    .execute();
}

export async function countLiveKeys(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom("api_keys")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function listKeys(db: Db, accountId: string) {
  return db
    .selectFrom("api_keys")
    .select(["id", "name", "hint", "created_at as createdAt", "revoked_at as revokedAt"])
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .execute();
}

export async function markKeyRevoked(db: Db, keyId: string): Promise<boolean> {
  const result = await db
    .updateTable("api_keys")
    .set({ revoked_at: new Date() })
    .where("id", "=", keyId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
