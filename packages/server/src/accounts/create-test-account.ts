import type { Db } from "../db/database.ts";
import { type AccountId, newId, shardOf } from "../ids.ts";
import { findTestAccount, insertTestAccount } from "./queries.ts";
import { newWebhookSecret } from "./webhook-secret.ts";

/** The test account that belongs to an account, created with its first test key. */
export async function createTestAccount(
  db: Db,
  ofAccount: AccountId,
): Promise<{ accountId: AccountId; isNew: boolean }> {
  const isNew = await insertTestAccount(db, {
    id: newId(shardOf(ofAccount)),
    accountId: ofAccount,
    webhookSecret: newWebhookSecret(), // a test account has its own webhook secret: it must not sign for the live account
  });
  const accountId = await findTestAccount(db, ofAccount);
  if (accountId === undefined)
    throw new Error(`There is no account ${ofAccount} to create a test account for.`);
  return { accountId, isNew };
}
