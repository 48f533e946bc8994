import type { Pool } from "pg";
import { findEndedKeys } from "../accounts/queries.ts";
import type { Log } from "../log.ts";
import type { Watcher } from "./subscription.ts";

/** Which keys clients wait with. A key that is revoked or expires ends all of its watches. */
export function createFollowedKeys(pool: Pool, log: Log) {
  const watchers = new Map<string, Set<Watcher>>();
  let isChecking = false;

  return {
    add(keyId: string, watcher: Watcher): void {
      const ofKey = watchers.get(keyId);
      if (ofKey === undefined) watchers.set(keyId, new Set([watcher]));
      else ofKey.add(watcher);
    },
    remove(keyId: string, watcher: Watcher): void {
      const ofKey = watchers.get(keyId);
      ofKey?.delete(watcher);
      if (ofKey?.size === 0) watchers.delete(keyId);
    },
    /** One query for all keys. While the database does not answer, clients wait on. */
    async check(): Promise<void> {
      if (isChecking || watchers.size === 0) return;
      isChecking = true;
      try {
        for (const keyId of await findEndedKeys(pool, [...watchers.keys()]))
          for (const watcher of watchers.get(keyId) ?? []) watcher.revoke();
      } catch (error) {
        log.warn({ event: "waiting.keys_unchecked", reason: String(error) });
      } finally {
        isChecking = false;
      }
    },
  };
}
