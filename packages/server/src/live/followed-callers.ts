import { type Caller, findEndedKeys } from "../accounts/queries.ts";
import type { Connections } from "../db/connections.ts";
import type { DirectoryTables } from "../db/schema.ts";
import type { Scope } from "../db/tables/accounts.ts";
import type { AccountId, KeyId, SessionId } from "../ids.ts";
import type { Log } from "../log.ts";
import { findEndedSessions } from "../people/session-queries.ts";

export type FollowedCaller = Pick<Caller, "id" | "keyId" | "session"> &
  Partial<Pick<Caller, "scopes">>;

/** A subscription, as far as the state of its caller ends it. */
export interface Revocable {
  /** Ends the wait for a change. Reading is still possible. */
  end(): void;
  /** Ends the subscription because the client's key is no longer valid. */
  revoke(): void;
}

/**
 * The keys and sessions of waiting clients. A key that is revoked or expires, and a person who signs out or
 * leaves the account, ends all of its subscriptions; a scope that a key loses ends those that began with it.
 */
export function createFollowedCallers(
  pool: Connections,
  log: Log,
  homePool: Connections<DirectoryTables>,
) {
  const followed = new Map<string, { caller: FollowedCaller; subscribers: Set<Revocable> }>();
  let isChecking = false;

  async function endedNames(): Promise<string[]> {
    const callers = [...followed.values()].map(({ caller }) => caller);
    const keys = callers.flatMap(({ keyId, scopes = null }) =>
      keyId === null ? [] : [{ keyId, scopes }],
    );
    const sessions = callers.flatMap(({ id, session }) =>
      session === undefined ? [] : [{ sessionId: session.id, accountId: id }],
    );
    const endedKeys = keys.length === 0 ? [] : await findEndedKeys(pool, keys);
    const endedSessions = sessions.length === 0 ? [] : await findEndedSessions(homePool, sessions);
    return [
      ...endedKeys.map(({ keyId, scopes }) => nameOfKey(keyId, scopes)),
      ...endedSessions.map(({ sessionId, accountId }) => nameOfSession(sessionId, accountId)),
    ];
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

function nameOf({ id, keyId, session, scopes = null }: FollowedCaller): string {
  return keyId === null ? nameOfSession(session?.id, id) : nameOfKey(keyId, scopes);
}

/** Includes the scopes: a key may have had others when its other clients began to wait. */
function nameOfKey(keyId: KeyId, scopes: Scope[] | null): string {
  return scopes === null ? keyId : `${keyId} ${scopes.join(",")}`;
}

function nameOfSession(sessionId: SessionId | undefined, accountId: AccountId): string {
  return `${sessionId} ${accountId}`;
}
