import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { Log } from "../log.ts";
import { takeSome } from "./take-some.ts";

/** Tells every api process which tasks look different now. */
export interface Announcer {
  /** Never throws and never waits: what is lost here is found when waiting tasks are looked at again. */
  announce(taskId: string): void;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

export const changesChannel = "task_changes";

const gatherMs = 20;
/** In one notification, which carries less than 8000 bytes. */
const idsMax = 200;
/** Beyond that the database is away or far behind. */
const gatheredIdsMax = 20_000;

/**
 * Called after the commit that changed a task. A NOTIFY inside that transaction would make the commits
 * of all of them wait for each other; out here many changes share one, and nobody waits until it is on
 * the disk.
 */
export function createAnnouncer(pool: Pool, log: Log): Announcer {
  const gathered = new Set<string>();
  let sending: Promise<void> | null = null;

  async function sendAll(): Promise<void> {
    try {
      while (gathered.size > 0) {
        if (gathered.size < idsMax) await pause(gatherMs);
        await send(takeSome(gathered, idsMax));
      }
    } catch (error) {
      log.warn({ event: "changes.unannounced", count: gathered.size, reason: String(error) });
      gathered.clear();
    }
    sending = null;
  }

  async function send(taskIds: string[]): Promise<void> {
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
