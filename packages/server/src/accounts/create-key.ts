import assert from "node:assert";
import { type Db, inTransaction } from "../db/database.ts";
import { type AccountId, type KeyId, newId, shardOf } from "../ids.ts";
import { type KeyMode, newApiKey } from "./api-key.ts";
import { countLiveKeys, insertKey, type KeyLimits, lockAccount } from "./queries.ts";

const liveKeysMax = 10;

/** Creates a key and returns it. It cannot be read again: only its hash is stored. */
export async function createKey(
  db: Db,
  options: { accountId: AccountId; name: string; mode?: KeyMode } & Partial<KeyLimits>,
): Promise<{ keyId: KeyId; key: string }> {
  const { key, hint, hash } = newApiKey(options.mode);
  const keyId = newId<KeyId>(shardOf(options.accountId));
  await inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, options.accountId);
    if (account === undefined)
      throw new Error(`There is no account ${options.accountId}, or it is closed.`);
    // The prefix shows whether a key spends real credits, so it must match the account.
    assert(
      (options.mode === "test") === account.isTest,
      "a live account cannot have test keys, nor a test account live keys",
    );
    if ((await countLiveKeys(tx, options.accountId)) >= liveKeysMax)
      throw new Error(`An account has at most ${liveKeysMax} live keys. Revoke one first.`);
    await insertKey(tx, {
      id: keyId,
      accountId: options.accountId,
      name: options.name,
      hint,
      hash,
      expiresAt: options.expiresAt ?? null,
      models: options.models ?? null,
      requestsPerMinuteMax: options.requestsPerMinuteMax ?? null,
      creditsMax: options.creditsMax ?? null,
      scopes: options.scopes ?? null,
    });
  });
  return { keyId, key };
}
