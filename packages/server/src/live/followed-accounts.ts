import type { AccountId, TaskId } from "../ids.ts";
import type { createConnectionLimits } from "./connection-limits.ts";
import type { createFollowedCallers, FollowedCaller } from "./followed-callers.ts";

/** A client that follows all tasks of its account. */
export interface Watcher {
  /** A task may have another state. */
  note(taskId: TaskId): void;
  /** Any task may have: notifications were lost. */
  noteAll(): void;
  /** No more changes will come. */
  end(): void;
  /** The client's key or session is no longer valid. */
  revoke(): void;
}

type Watched = { kind: "open"; leave(): void } | { kind: "full"; limit: "process" | "account" };
export type FollowedAccounts = ReturnType<typeof createFollowedAccounts>;

/** The watchers of each account. A change costs a lookup, whether anybody watches or not. */
export function createFollowedAccounts(
  limits: ReturnType<typeof createConnectionLimits>,
  callers: ReturnType<typeof createFollowedCallers>,
) {
  const watchers = new Map<AccountId, Set<Watcher>>();
  let hasEnded = false;

  function* all(): Iterable<Watcher> {
    for (const ofAccount of watchers.values()) yield* ofAccount;
  }

  function add(accountId: AccountId, watcher: Watcher): void {
    const ofAccount = watchers.get(accountId);
    if (ofAccount === undefined) watchers.set(accountId, new Set([watcher]));
    else ofAccount.add(watcher);
  }

  function remove(accountId: AccountId, watcher: Watcher): void {
    const ofAccount = watchers.get(accountId);
    ofAccount?.delete(watcher);
    if (ofAccount?.size === 0) watchers.delete(accountId);
  }

  return {
    /** Counts the client until it leaves, or returns the limit that is reached. */
    watch(client: FollowedCaller, watcher: Watcher): Watched {
      const limit = limits.enter(client.id);
      if (limit !== null) return { kind: "full", limit };
      add(client.id, watcher);
      callers.add(client, watcher);
      if (hasEnded) watcher.end();
      return {
        kind: "open",
        leave() {
          limits.leave(client.id);
          remove(client.id, watcher);
          callers.remove(client, watcher);
        },
      };
    },
    note(changes: readonly { taskId: TaskId; accountId: AccountId | undefined }[]): void {
      for (const { taskId, accountId } of changes)
        if (accountId !== undefined)
          for (const watcher of watchers.get(accountId) ?? []) watcher.note(taskId);
    },
    noteAll(): void {
      for (const watcher of all()) watcher.noteAll();
    },
    /** Ends it for all current and future watchers. */
    end(): void {
      hasEnded = true;
      for (const watcher of all()) watcher.end();
    },
  };
}
