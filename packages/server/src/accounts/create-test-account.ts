import type { Db } from "../db/database.ts";
import { type AccountId, newId, shardOf } from "../ids.ts";
import type { KeyRing } from "../key-ring.ts";
import { findTestAccount, insertTestAccount } from "./queries.ts";
import { newWebhookSecret, storedSecret } from "./webhook-secret.ts";

/** The test account that belongs to an account, created with its first test key. */
export async function createTestAccount(
  { db, keyRing }: { db: Db; keyRing: KeyRing | null },
  ofAccount: AccountId,
): Promise<{ accountId: AccountId; isNew: boolean }> {
  const id = newId<AccountId>(shardOf(ofAccount));
  const isNew = await insertTestAccount(db, {
    id,
    accountId: ofAccount,
    webhookSecret: storedSecret(keyRing, newWebhookSecret(), id), // a test account has its own webhook secret: it must not sign for the live account
  });
  const accountId = await findTestAccount(db, ofAccount);
  if (accountId === undefined)
    throw new Error(`There is no account ${ofAccount} to create a test account for.`);
  return { accountId, isNew };
}
