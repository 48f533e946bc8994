import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { AccountId, TaskId } from "../ids.ts";
import type { Log } from "../log.ts";

/** Notifies every api process of changed tasks. */
export interface Announcer {
  /** Best effort: never throws and never waits. Followed tasks are also read again at intervals. */
  announce(taskId: TaskId, accountId: AccountId): void;
  /** Waits for requests in progress. */
  close(): Promise<void>;
}

export const changesChannel = "task_changes";
/** Told of every account that has left the shard. */
export const movesChannel = "accounts_moved";

const gatherMs = 20;
/** In one notification, which carries less than 8000 bytes: two ids of 36 characters for each. */
const idsMax = 100;
/** Beyond that the database is unavailable or far behind. */
const gatheredIdsMax = 20_000;

/**
 * Called after the commit that changed a task. A NOTIFY inside that transaction would serialize all
 * commits; here many changes share one, without waiting for the disk.
 */
export function createAnnouncer(pool: Pool, log: Log): Announcer {
  const gathered = new Map<TaskId, AccountId>();
  let sending: Promise<void> | null = null;

  async function sendAll(): Promise<void> {
    try {
      while (gathered.size > 0) {
        if (gathered.size < idsMax) await pause(gatherMs);
        await send([...gathered].slice(0, idsMax));
      }
    } catch (error) {
      log.warn({ event: "changes.unnotified", count: gathered.size, reason: String(error) });
      gathered.clear();
    }
    sending = null;
  }

  async function send(changes: [TaskId, AccountId][]): Promise<void> {
    for (const [taskId] of changes) gathered.delete(taskId);
    await pool.query({
      name: "announce changes",
      text: "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)",
      values: [changesChannel, renderChanges(changes)],
    });
  }

  return {
    announce(taskId, accountId) {
      if (gathered.size >= gatheredIdsMax) return;
      gathered.set(taskId, accountId);
      sending ??= sendAll();
    },
    async close() {
      await sending;
    },
  };
}

/** Tasks, then their accounts in the same order: a release that reads only tasks finds them as before. */
function renderChanges(changes: [TaskId, AccountId][]): string {
  const taskIds = changes.map(([taskId]) => taskId);
  const accountIds = changes.map(([, accountId]) => accountId);
  return `${taskIds.join(",")},;${accountIds.join(",")}`;
}

/** The tasks of a notification. One that an earlier release sent names no account. */
export function parseChanges(
  payload: string,
): { taskId: TaskId; accountId: AccountId | undefined }[] {
  const [taskIds = "", accountIds = ""] = payload.split(";");
  const accounts = accountIds.split(",");
  return taskIds
    .split(",")
    .filter((taskId) => taskId !== "")
    .map((taskId, place) => ({
      taskId: taskId as TaskId,
      accountId: (accounts[place] || undefined) as AccountId | undefined,
    }));
}
