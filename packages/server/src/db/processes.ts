import { hostname } from "node:os";
import { sql } from "kysely";
import { newId, type ProcessId } from "../ids.ts";
import type { Db } from "./database.ts";

/** The SQL of processes: each says every few seconds that it runs, and how its loops are. */

export const reportEveryMs = 10_000;
const listedMax = 200;
/** A process that stopped is shown this long. */
const keptHours = 24;

export interface LoopReport {
  name: string;
  /** Epoch milliseconds; null: never in this process. */
  lastSuccessAt: number | null;
  isAlive: boolean;
}

/** Returns the function that reports this process. */
export function createProcessReport(db: Db, role: string, version: string) {
  const id = newId<ProcessId>(0);
  const startedAt = new Date();
  return async (loops: readonly LoopReport[]): Promise<void> => {
    const seen = { loops: JSON.stringify(loops), seen_at: sql<Date>`now()` };
    await db
      .insertInto("processes")
      .values({ id, role, version, host: hostname(), started_at: startedAt, ...seen })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(seen))
      .execute();
    await sql`delete from processes where id = any (array(
      select id from processes where seen_at < now() - ${keptHours} * interval '1 hour'
      order by seen_at limit 100))`.execute(db);
  };
}

/** The latest seen first. */
export async function listProcesses(db: Db) {
  return db
    .selectFrom("processes")
    .select([
      "id",
      "role",
      "version",
      "host",
      "started_at as startedAt",
      "seen_at as seenAt",
      sql<boolean>`seen_at > now() - interval '1 minute'`.as("isRunning"),
      sql<LoopReport[]>`loops`.as("loops"),
    ])
    .orderBy("seen_at", "desc")
    .limit(listedMax)
    .execute();
}
