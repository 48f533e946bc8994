import type { Db } from "../db/database.ts";
import { newId, shardOf } from "../ids.ts";
import { findTestAccount, insertTestAccount } from "./queries.ts";
import { newWebhookSecret } from "./webhook-secret.ts";

/** The twin of an account for its test-mode keys, made at the first need. */
export async function createTestAccount(
  db: Db,
  ofAccount: string,
): Promise<{ accountId: string; isNew: boolean }> {
  const isNew = await insertTestAccount(db, {
    id: newId(shardOf(ofAccount)),
    accountId: ofAccount,
    webhookSecret: newWebhookSecret(), // whoever has a test key must not be able to sign for the live account
  });
  const accountId = await findTestAccount(db, ofAccount);
  if (accountId === undefined)
    throw new Error(`There is no account ${ofAccount} to create a test account for.`);
  return { accountId, isNew };
}
