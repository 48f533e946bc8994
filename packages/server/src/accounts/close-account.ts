import { sql } from "kysely";
import type { ShardContext } from "../context.ts";
import { type Db, inTransaction, type SharedDb } from "../db/database.ts";
import type { AccountId } from "../ids.ts";
import { throwIfMoved, updateForwardingRows } from "./forwarding-rows.ts";
import { newWebhookSecret } from "./webhook-secret.ts";

/**
 * The steps of closing an account. They run as the owner of the schema, because the service may do none of
 * this.
 */

/** The name of an erased account. */
export const erasedName = "erased";

/** The reason why an account is not closed. */
type Refusal = "missing" | "is a test account" | "another name";

/**
 * Closes an account and its test account, if it has this name: their keys are revoked, and nothing new
 * is accepted from here on. Returns both ids, the test account first. An erased account has no name to
 * confirm.
 */
export async function closeAccount(
  ctx: ShardContext,
  accountId: AccountId,
  name: string,
): Promise<AccountId[] | Refusal> {
  const closed = await closeOwn(ctx.db, accountId, name);
  if (typeof closed !== "string") await updateForwardingRows(ctx, closed, { isClosed: true });
  return closed;
}

async function closeOwn(
  db: Db,
  accountId: AccountId,
  name: string,
): Promise<AccountId[] | Refusal> {
  return inTransaction(db, async (tx) => {
    // accept_tasks holds the same lock: whoever comes later finds the keys revoked.
    const account = await tx
      .selectFrom("accounts")
      .select(["name", "erased_at as erasedAt", "test_of as testOf", "moved_to as movedTo"])
      .where("id", "=", accountId)
      .forUpdate()
      .executeTakeFirst();
    if (account === undefined) return "missing";
    throwIfMoved(account.movedTo);
    if (account.testOf !== null) return "is a test account";
    if (account.erasedAt === null && account.name !== name) return "another name";
    const closed = await tx
      .updateTable("accounts")
      .set({ closed_at: sql<Date>`coalesce(closed_at, now())` })
      .where((row) => row.or([row("id", "=", accountId), row("test_of", "=", accountId)]))
      .returning(["id", "test_of as testOf"])
      .execute();
    const ids = closed
      .sort((one, other) => Number(one.testOf === null) - Number(other.testOf === null))
      .map(({ id }) => id);
    await tx
      .updateTable("api_keys")
      .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
      .where("account_id", "in", ids)
      .execute();
    return ids;
  });
}

/** The rows stay without what they were: streams end by them, and budgets are proven by them. */
export async function eraseKeys(db: SharedDb, accountId: AccountId): Promise<number> {
  const result = await db
    .updateTable("api_keys")
    .set({
      name: erasedName,
      hint: "",
      hash: sql<Buffer>`sha256(convert_to('erased ' || id, 'UTF8'))`, // of no key
      models: null,
      scopes: null,
      created_by: null,
    })
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const keysOf = db.selectFrom("api_keys").select("id").where("account_id", "=", accountId);
  await db.deleteFrom("key_uses").where("key_id", "in", keysOf).execute();
  await db.deleteFrom("account_allowances").where("account_id", "=", accountId).execute();
  return Number(result.numUpdatedRows);
}

/** The last step: the account's name and secrets go, its own after that of its forwarding row. */
export async function eraseName(
  ctx: ShardContext,
  accountIds: readonly AccountId[],
): Promise<void> {
  await updateForwardingRows(ctx, accountIds, { name: erasedName, isErased: true });
  await inTransaction(ctx.db, async (tx) => {
    for (const id of accountIds)
      await tx
        .updateTable("accounts")
        .set({
          name: erasedName,
          suspended_reason: null,
          webhook_secret: newWebhookSecret(), // which nobody knows
          webhook_secret_before: null,
          webhook_secret_before_until: null,
          erased_at: sql<Date>`coalesce(erased_at, now())`,
        })
        .where("id", "=", id)
        .execute();
  });
}
