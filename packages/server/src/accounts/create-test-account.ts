import type { ShardContext } from "../context.ts";
import { type AccountId, newId, shardOf } from "../ids.ts";
import type { KeyRing } from "../secrets/key-ring.ts";
import { claimTestId } from "./forwarding-rows.ts";
import { findTestAccount, insertTestAccount } from "./queries.ts";
import { newWebhookSecret, storedSecret } from "./webhook-secret.ts";

/** The test account that belongs to an account, created with its first test key. */
export async function createTestAccount(
  ctx: ShardContext & { keyRing: KeyRing | null },
  ofAccount: AccountId,
): Promise<{ accountId: AccountId; isNew: boolean }> {
  const known = await findTestAccount(ctx.db, ofAccount);
  if (known !== undefined) return { accountId: known, isNew: false };
  const made = newId<AccountId>(shardOf(ofAccount));
  const id = await claimTestId(ctx, { id: made, accountId: ofAccount });
  const isNew = id !== undefined && (await insertIn(ctx, id, ofAccount));
  const accountId = await findTestAccount(ctx.db, ofAccount);
  if (accountId === undefined)
    throw new Error(`There is no account ${ofAccount} to create a test account for.`);
  return { accountId, isNew };
}

/** Returns whether nobody else did at the same time. */
function insertIn(
  { db, keyRing }: Pick<ShardContext, "db"> & { keyRing: KeyRing | null },
  id: AccountId,
  accountId: AccountId,
): Promise<boolean> {
  // It has its own webhook secret: it must not sign for the live account.
  const webhookSecret = storedSecret(keyRing, newWebhookSecret(), id);
  return insertTestAccount(db, { id, accountId, webhookSecret });
}
