import type { Pool } from "pg";
import { findEndedKeys } from "../accounts/queries.ts";
import type { KeyId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { Subscriber } from "./subscription.ts";

type Revocable = Pick<Subscriber, "revoke">;

/** The keys of waiting clients. A key that is revoked or expires ends all of its subscriptions. */
export function createFollowedKeys(pool: Pool, log: Log) {
  const subscribers = new Map<KeyId, Set<Revocable>>();
  let isChecking = false;

  return {
    add(keyId: KeyId, subscriber: Revocable): void {
      const ofKey = subscribers.get(keyId);
      if (ofKey === undefined) subscribers.set(keyId, new Set([subscriber]));
      else ofKey.add(subscriber);
    },
    remove(keyId: KeyId, subscriber: Revocable): void {
      const ofKey = subscribers.get(keyId);
      ofKey?.delete(subscriber);
      if (ofKey?.size === 0) subscribers.delete(keyId);
    },
    /** One query for all keys. While the database is down, clients keep waiting. */
    async check(): Promise<void> {
      if (isChecking || subscribers.size === 0) return;
      isChecking = true;
      try {
        for (const keyId of await findEndedKeys(pool, [...subscribers.keys()]))
          for (const subscriber of subscribers.get(keyId) ?? []) subscriber.revoke();
      } catch (error) {
        log.warn({ event: "subscriptions.keys_unchecked", reason: String(error) });
      } finally {
        isChecking = false;
      }
    },
  };
}
