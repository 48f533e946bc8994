import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Pool } from "pg";
import type { Log } from "../log.ts";
import type { Db, Tx } from "./database.ts";
import { onlyRow } from "./only-row.ts";

const tryAgainMs = 5_000;

/** Which shard the database is. It never changes once there are accounts. */
export async function readShard(db: Db | Tx): Promise<number> {
  const { rows } = await sql<{
    number: number;
  }>`select number from this_shard where is_only`.execute(db);
  return onlyRow(rows).number;
}

interface Shard {
  pool: Pool;
  log: Log;
  config: { database: { shard: number } };
}

/**
 * Calls `onWrong` if a database is another shard than it is taken for, as after two URLs of SHARDS were
 * exchanged: accounts would get ids and keys that lead to the wrong database. One that is away is asked
 * again: it must not keep the others from being served.
 */
export function watchShards(shards: readonly Shard[], onWrong: () => void) {
  const stopping = new AbortController();
  const watching = Promise.all(shards.map((shard) => checkShard(shard, onWrong, stopping.signal)));
  return {
    async close() {
      stopping.abort();
      await watching;
    },
  };
}

async function checkShard({ pool, log, config }: Shard, onWrong: () => void, stop: AbortSignal) {
  const { shard } = config.database;
  while (!stop.aborted) {
    try {
      const { rows } = await pool.query<{ number: number }>(
        "select number from this_shard where is_only",
      );
      const { number } = onlyRow(rows);
      if (number === shard) return;
      log.error({ event: "shard.wrong", place: shard, number, message: wrongOrder });
      return onWrong();
    } catch (error) {
      log.warn({ event: "shard.unread", place: shard, reason: String(error) });
      await pause(tryAgainMs, undefined, { signal: stop }).catch(() => {});
    }
  }
}

const wrongOrder =
  "The order of SHARDS never changes: a new one is added at the end, migrated with --shard.";
