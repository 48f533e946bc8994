import assert from "node:assert";
import { type Db, inTransaction, type Tx } from "../db/database.ts";
import { readShard } from "../db/this-shard.ts";
import { ApiError } from "../errors.ts";
import { type AccountId, type KeyId, newId, type PersonId, shardOf } from "../ids.ts";
import { type KeyMode, newApiKey } from "./api-key.ts";
import { countKeys, insertKey, liveKeysMax, madeInDayMax } from "./keys/queries.ts";
import { type KeyLimits, lockAccountHere } from "./queries.ts";

interface NewKey extends Partial<KeyLimits> {
  accountId: AccountId;
  name: string;
  mode?: KeyMode;
  createdBy?: PersonId | null;
  createdByKey?: KeyId | null;
}

/** Creates a key and returns it. It cannot be read again: only its hash is stored. */
export function createKey(db: Db, options: NewKey): Promise<{ keyId: KeyId; key: string }> {
  return inTransaction(db, (tx) => createKeyIn(tx, options));
}

/** Creates a key as a part of a transaction. */
export async function createKeyIn(tx: Tx, options: NewKey): Promise<{ keyId: KeyId; key: string }> {
  const { key, hint, hash } = newApiKey(options.mode, await readShard(tx));
  const keyId = newId<KeyId>(shardOf(options.accountId));
  const account = await lockAccountHere(tx, options.accountId);
  if (account === undefined)
    throw new Error(`There is no account ${options.accountId}, or it is closed.`);
  // The prefix shows whether a key spends real credits, so it must match the account.
  assert(
    (options.mode === "test") === account.isTest,
    "a live account cannot have test keys, nor a test account live keys",
  );
  const { live, inDay } = await countKeys(tx, options.accountId);
  if (live >= liveKeysMax) throw new ApiError("live_keys_limit");
  if (inDay >= madeInDayMax) throw new ApiError("new_keys_limit", { retryAfterSeconds: 3_600 });
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
    createdBy: options.createdBy ?? null,
    createdByKey: options.createdByKey ?? null,
  });
  return { keyId, key };
}
