import type { Pool } from "pg";
import { type Caller, findEndedKeys } from "../accounts/queries.ts";
import type { AccountId, KeyId } from "../ids.ts";
import type { Log } from "../log.ts";
import { findEndedSessions } from "../people/session-queries.ts";
import type { Subscriber } from "./subscription.ts";

export type FollowedCaller = Pick<Caller, "id" | "keyId" | "session">;
type Revocable = Pick<Subscriber, "revoke" | "end">;

/**
 * The keys and sessions of waiting clients. One that is revoked or expires, or whose person leaves the
 * account, ends all of its subscriptions.
 */
export function createFollowedCallers(pool: Pool, log: Log, homePool: Pool) {
  const followed = new Map<string, { caller: FollowedCaller; subscribers: Set<Revocable> }>();
  let isChecking = false;

  async function endedNames(): Promise<string[]> {
    const callers = [...followed.values()].map(({ caller }) => caller);
    const keyIds = callers.flatMap(({ keyId }): KeyId[] => (keyId === null ? [] : [keyId]));
    const sessions = callers.flatMap(({ id, session }) =>
      session === undefined ? [] : [{ sessionId: session.id, accountId: id }],
    );
    const endedKeys = keyIds.length === 0 ? [] : await findEndedKeys(pool, keyIds);
    const endedSessions = sessions.length === 0 ? [] : await findEndedSessions(homePool, sessions);
    const names = endedSessions.map(({ sessionId, accountId }) => `${sessionId} ${accountId}`);
    return [...endedKeys, ...names];
  }

  return {
    add(caller: FollowedCaller, subscriber: Revocable): void {
      const ofCaller = followed.get(nameOf(caller));
      if (ofCaller === undefined)
        followed.set(nameOf(caller), { caller, subscribers: new Set([subscriber]) });
      else ofCaller.subscribers.add(subscriber);
    },
    remove(caller: FollowedCaller, subscriber: Revocable): void {
      const ofCaller = followed.get(nameOf(caller));
      ofCaller?.subscribers.delete(subscriber);
      if (ofCaller?.subscribers.size === 0) followed.delete(nameOf(caller));
    },
    /** The account has left this shard: its clients connect again, and are served where it lives. */
    endAccount(accountId: AccountId): void {
      for (const { caller, subscribers } of followed.values())
        if (caller.id === accountId) for (const subscriber of subscribers) subscriber.end();
    },
    /** One query for all keys, and one for all sessions. While the database is down, clients keep waiting. */
    async check(): Promise<void> {
      if (isChecking || followed.size === 0) return;
      isChecking = true;
      try {
        for (const name of await endedNames())
          for (const subscriber of followed.get(name)?.subscribers ?? []) subscriber.revoke();
      } catch (error) {
        log.warn({ event: "subscriptions.callers_unchecked", reason: String(error) });
      } finally {
        isChecking = false;
      }
    },
  };
}

function nameOf({ id, keyId, session }: FollowedCaller): string {
  return keyId ?? `${session?.id} ${id}`;
}
