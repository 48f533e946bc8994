import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Log } from "../log.ts";
import type { Connections } from "./connections.ts";
import type { SharedDb } from "./database.ts";
import { onlyRow } from "./only-row.ts";

const tryAgainMs = 5_000;

/** Returns the number of the database's shard. It never changes once there are accounts. */
export async function readShard(db: SharedDb): Promise<number> {
  const { rows } = await sql<{
    number: number;
  }>`select number from this_shard where is_only`.execute(db);
  return onlyRow(rows).number;
}

interface Shard {
  pool: Connections;
  log: Log;
  config: { database: { shard: number } };
}

/**
 * Calls `onWrong` if a database is another shard than expected, as after two URLs of SHARDS were exchanged:
 * accounts would get ids and keys that lead to the wrong database. An unreachable database is asked again,
 * so that the others are served.
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
