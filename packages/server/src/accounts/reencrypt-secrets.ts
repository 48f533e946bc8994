import type { Db } from "../db/database.ts";
import type { AccountId } from "../ids.ts";
import { type KeyRing, keyIdOf } from "../key-ring.ts";
import { listSecrets, replaceStored, type StoredSecrets } from "./secret-queries.ts";
import { readStoredSecret, storedSecret } from "./webhook-secret.ts";

const rowsMax = 200;
const namedMax = 100;

interface Progress {
  secrets: number;
  reencrypted: number;
  failed: number;
  /** The first of those that failed. */
  failures: { accountId: AccountId; reason: string }[];
}

/**
 * Encrypts every webhook secret with the first key of the ring, while the service runs. A secret that
 * cannot be read is counted and left as it is. Can be stopped and started again: what is done is
 * passed over.
 */
export async function reencryptSecrets(db: Db, ring: KeyRing): Promise<Progress> {
  const progress: Progress = { secrets: 0, reencrypted: 0, failed: 0, failures: [] };
  for (let after: AccountId | null = null; ; ) {
    const rows = await listSecrets(db, after, rowsMax);
    const changed = rows.flatMap((from) => {
      progress.secrets += from.storedBefore === null ? 1 : 2;
      const to = reencrypt(from);
      return to === null ? [] : [{ from, to }];
    });
    if (changed.length > 0) await replaceStored(db, changed);
    progress.reencrypted += changed.length;
    after = rows.at(-1)?.accountId ?? null;
    if (after === null || rows.length < rowsMax) return progress;
  }

  function reencrypt({ accountId, stored, storedBefore }: StoredSecrets): StoredSecrets | null {
    const again = (text: string) =>
      keyIdOf(text) === ring.currentId
        ? text
        : storedSecret(ring, readStoredSecret(ring, text, accountId), accountId);
    try {
      const to = {
        accountId,
        stored: again(stored),
        storedBefore: storedBefore === null ? null : again(storedBefore),
      };
      return to.stored === stored && to.storedBefore === storedBefore ? null : to;
    } catch (error) {
      progress.failed += 1;
      const reason = error instanceof Error ? error.message : String(error);
      if (progress.failures.length < namedMax) progress.failures.push({ accountId, reason });
      return null;
    }
  }
}

/** How many secrets each key has encrypted; `none`: they are stored as they are. */
export async function countSecretsByKey(db: Db): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let after: AccountId | null = null; ; ) {
    const rows = await listSecrets(db, after, rowsMax);
    for (const stored of rows.flatMap((row) => [row.stored, row.storedBefore ?? []].flat())) {
      const keyId = keyIdOf(stored) ?? "none";
      counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
    }
    after = rows.at(-1)?.accountId ?? null;
    if (after === null || rows.length < rowsMax) return counts;
  }
}
