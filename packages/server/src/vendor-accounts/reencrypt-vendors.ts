import type { Db } from "../db/database.ts";
import { type KeyRing, keyIdOf } from "../key-ring.ts";
import { listAccounts, replaceCredentials } from "./queries.ts";
import { reencryptCredentials } from "./read-account.ts";

/** Encrypts the credentials of vendor accounts with the first key of the ring. One that fails stops no other. */
export async function reencryptVendors(db: Db, ring: KeyRing) {
  const failures: { name: string; reason: string }[] = [];
  let reencrypted = 0;
  for (const { name, credentials: from } of await listAccounts(db)) {
    if (from === null || keyIdOf(from) === ring.currentId) continue;
    try {
      const to = reencryptCredentials(ring, name, from);
      if (await replaceCredentials(db, { name, from, to })) reencrypted += 1;
    } catch (error) {
      failures.push({ name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { reencrypted, failures };
}
