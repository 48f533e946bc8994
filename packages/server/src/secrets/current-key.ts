import { setTimeout as pause } from "node:timers/promises";
import { type DirectoryDb, type DirectoryTx, inTransaction } from "../db/database.ts";
import { withinMs } from "../flow/within-ms.ts";
import type { Log } from "../log.ts";
import type { KeyRing } from "./key-ring.ts";

/**
 * The key that encrypts, as the database records it. Without this record, a process whose key ring begins
 * with another key would encrypt with that one, and those secrets would be lost as soon as the others
 * remove its line. A key ring that has the recorded key may replace it: at the start of api and worker, and
 * by `operator secrets reencrypt`.
 */
export interface CurrentKey {
  /** Null: nobody has had a key ring yet. */
  id: string | null;
  earlierIds: readonly string[];
}

/** The key ring is another than the service's. */
export class OtherKeyRing extends Error {}

const tryAgainMs = 5_000;
const readMsMax = 10_000;

export async function readCurrentKey(db: DirectoryDb | DirectoryTx): Promise<CurrentKey> {
  const { key_id: id, earlier_ids: earlierIds } = await db
    .selectFrom("current_key")
    .select(["key_id", "earlier_ids"])
    .where("is_only", "=", true)
    .executeTakeFirstOrThrow();
  return { id, earlierIds };
}

/** Throws OtherKeyRing unless the ring's first key is the recorded one. The first ring ever is recorded. */
export async function requireCurrentKey(db: DirectoryDb, ring: KeyRing): Promise<void> {
  const { id } = await readCurrentKey(db);
  if (id === null) return replaceCurrentKey(db, ring);
  requireKey(ring, id);
  if (id !== ring.currentId)
    throw new OtherKeyRing(
      `The first key of the key ring is ${ring.currentId}, but secrets are encrypted with ${id}. Nothing was changed. Use the key ring of api and worker. To replace the key, restart api and worker with this one first.`,
    );
}

/**
 * Makes the ring's first key the one that encrypts. Throws OtherKeyRing if the ring lacks the recorded key,
 * unless that one is `lost`.
 */
export async function replaceCurrentKey(
  db: DirectoryDb,
  ring: KeyRing,
  lost: string | null = null,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.selectFrom("current_key").select("key_id").forUpdate().execute();
    const { id, earlierIds } = await readCurrentKey(tx);
    if (id === ring.currentId) return;
    if (id !== null && id !== lost) requireKey(ring, id);
    const earlier = [...earlierIds, ...(id === null ? [] : [id])];
    await tx
      .updateTable("current_key")
      .set({
        key_id: ring.currentId,
        earlier_ids: [...new Set(earlier)].filter((one) => one !== ring.currentId),
        changed_at: new Date(),
      })
      .where("is_only", "=", true)
      .execute();
  });
}

function requireKey(ring: KeyRing, id: string): void {
  if (ring.keys.has(id)) return;
  throw new OtherKeyRing(
    `The key ring has no key ${id}, with which secrets are encrypted: it is older than the service's, or another one. Use the key ring of api and worker. If ${id} is lost, run 'secrets reencrypt --lost ${id}' with the new key ring.`,
  );
}

interface Process {
  directory: { db: DirectoryDb };
  keyRing: KeyRing | null;
  log: Log;
}

/**
 * Records the first key of the key ring of an api or worker. Refuses to start with a ring that lacks the
 * recorded key. Retries while the database is unreachable; then `onOther` is called.
 */
export async function watchKeyRing({ directory, keyRing, log }: Process, onOther: () => void) {
  const stopping = new AbortController();

  async function isKnown(): Promise<boolean> {
    if (keyRing === null) return true;
    try {
      await withinMs(readMsMax, replaceCurrentKey(directory.db, keyRing));
      return true;
    } catch (error) {
      if (error instanceof OtherKeyRing) throw error;
      log.warn({ event: "key_ring.unchecked", reason: String(error) });
      return false;
    }
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(tryAgainMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted || (await isKnown())) return;
    }
  }

  const watching = (await isKnown())
    ? Promise.resolve()
    : watch().catch((error: unknown) => {
        log.error({ event: "key_ring.other", message: String(error) });
        onOther();
      });
  return {
    async close() {
      stopping.abort();
      await watching;
    },
  };
}
