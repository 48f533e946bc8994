import { type Db, inTransaction } from "../db/database.ts";
import { newId, shardOf } from "../ids.ts";
import { newApiKey } from "./api-key.ts";
import { countLiveKeys, insertKey, lockAccount } from "./queries.ts";

const liveKeysMax = 10;

/** Makes a key and returns it: the only moment it can be seen. */
export async function createKey(
  db: Db,
  options: { accountId: string; name: string },
): Promise<{ keyId: string; key: string }> {
  const { key, hint, hash } = newApiKey();
  const keyId = newId(shardOf(options.accountId));
  await inTransaction(db, async (tx) => {
    if ((await lockAccount(tx, options.accountId)) === undefined)
      throw new Error(`There is no account ${options.accountId}.`);
    if ((await countLiveKeys(tx, options.accountId)) >= liveKeysMax)
      throw new Error(`An account has at most ${liveKeysMax} live keys. Revoke one first.`);
    await insertKey(tx, {
      id: keyId,
      accountId: options.accountId,
      name: options.name,
      hint,
      hash,
    });
  });
  return { keyId, key };
}
