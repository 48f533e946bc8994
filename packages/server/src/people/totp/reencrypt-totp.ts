import type { Db } from "../../db/database.ts";
import type { PersonId } from "../../ids.ts";
import { type KeyRing, keyIdOf } from "../../key-ring.ts";
import { listTotpSecrets, replaceTotpSecret, type StoredTotp } from "./queries.ts";
import { readTotpSecret, storedTotpSecret } from "./totp.ts";

const rowsMax = 200;
const namedMax = 100;

interface Progress {
  reencrypted: number;
  failed: number;
  /** The first of those that failed. */
  failures: { personId: PersonId; reason: string }[];
}

/** Encrypts the secret of every authenticator app with the first key of the ring. One that fails stops no other. */
export async function reencryptTotp(db: Db, ring: KeyRing): Promise<Progress> {
  const progress: Progress = { reencrypted: 0, failed: 0, failures: [] };
  for await (const { personId, stored } of everyTotpSecret(db)) {
    if (keyIdOf(stored) === ring.currentId) continue;
    try {
      const to = storedTotpSecret(ring, readTotpSecret(ring, stored, personId), personId);
      if (await replaceTotpSecret(db, personId, { from: stored, to })) progress.reencrypted += 1;
    } catch (error) {
      progress.failed += 1;
      const reason = error instanceof Error ? error.message : String(error);
      if (progress.failures.length < namedMax) progress.failures.push({ personId, reason });
    }
  }
  return progress;
}

/** Adds how many secrets each key has encrypted. */
export async function countTotpByKey(db: Db, counts: Map<string, number>): Promise<void> {
  for await (const { stored } of everyTotpSecret(db)) {
    const keyId = keyIdOf(stored) ?? "none";
    counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
  }
}

async function* everyTotpSecret(db: Db): AsyncGenerator<StoredTotp> {
  for (let after: PersonId | null = null; ; ) {
    const rows: StoredTotp[] = await listTotpSecrets(db, after, rowsMax);
    yield* rows;
    after = rows.at(-1)?.personId ?? null;
    if (after === null || rows.length < rowsMax) return;
  }
}
