import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { TaskId } from "../ids.ts";
import type { Log } from "../log.ts";
import { takeOldest } from "../take-oldest.ts";

/** Notifies every api process of changed tasks. */
export interface Announcer {
  /** Best effort: never throws and never waits. Followed tasks are also read again at intervals. */
  announce(taskId: TaskId): void;
  /** Waits for requests in progress. */
  close(): Promise<void>;
}

export const changesChannel = "task_changes";

const gatherMs = 20;
/** In one notification, which carries less than 8000 bytes. */
const idsMax = 200;
/** Beyond that the database is unavailable or far behind. */
const gatheredIdsMax = 20_000;

/**
 * Called after the commit that changed a task. A NOTIFY inside that transaction would serialize all
 * commits; here many changes share one, without waiting for the disk.
 */
export function createAnnouncer(pool: Pool, log: Log): Announcer {
  const gathered = new Set<TaskId>();
  let sending: Promise<void> | null = null;

  async function sendAll(): Promise<void> {
    try {
      while (gathered.size > 0) {
        if (gathered.size < idsMax) await pause(gatherMs);
        await send(takeOldest(gathered, idsMax));
      }
    } catch (error) {
      log.warn({ event: "changes.unnotified", count: gathered.size, reason: String(error) });
      gathered.clear();
    }
    sending = null;
  }

  async function send(taskIds: TaskId[]): Promise<void> {
    await pool.query({
      name: "announce changes",
      text: "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)",
      values: [changesChannel, taskIds.join(",")],
    });
  }

  return {
    announce(taskId) {
      if (gathered.size >= gatheredIdsMax) return;
      gathered.add(taskId);
      sending ??= sendAll();
    },
    async close() {
      await sending;
    },
  };
}
