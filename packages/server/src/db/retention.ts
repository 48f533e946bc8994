import { sql } from "kysely";

import type { Connections } from "./connections.ts";
import { callFunctionIn, type Db } from "./database.ts";
import { onlyRow } from "./only-row.ts";
import { type HistoryTable, retryLocks } from "./partitions.ts";

/** The time limit for summing up or dropping a large partition, which may take longer than a request waits. */
const statementMsMax = 5 * 60_000;
const purgedRowsMax = 500;

/** Tables that may be dropped from; the ledger is kept for ever. */
export type KeptDays = Partial<
  Record<Exclude<HistoryTable, "transfers" | "entries" | "lot_uses">, number>
>;

/**
 * Drops the partitions whose rows are all older than their table's days, once no work is left for them.
 * Returns their names. A failure of one table does not affect the others.
 */
export async function dropOldPartitions(
  pool: Connections,
  keptDays: KeptDays,
  until?: AbortSignal,
): Promise<string[]> {
  const failures: Error[] = [];
  const dropped: string[] = [];
  for (const [table, days] of Object.entries(keptDays))
    try {
      const detach = () =>
        askLong(
          pool,
          "select partition from detach_partition(p_parent => $1, p_before => now() - $2 * interval '1 day')",
          [table, days],
        );
      while (!until?.aborted && (await retryLocks(detach, until)) !== null);
    } catch (error) {
      failures.push(new Error(`${table}: ${error}`));
    }
  let name: string | null = null;
  do {
    name = until?.aborted ? null : await askLong(pool, "select partition from drop_detached()", []);
    if (name !== null) dropped.push(name);
  } while (name !== null);
  if (failures.length > 0) throw new AggregateError(failures, failures.join("; "));
  return dropped;
}

async function askLong(pool: Connections, text: string, values: unknown[]): Promise<string | null> {
  const client = await pool.connect();
  let isDone = false;
  try {
    await client.query("begin");
    await client.query(`set local statement_timeout = ${statementMsMax}`);
    const query = { text, values, answerMsMax: statementMsMax + 10_000 };
    const { rows } = await client.query<{ partition: string | null }>(query);
    await client.query("commit");
    isDone = true;
    return onlyRow(rows).partition;
  } finally {
    client.release(!isDone);
  }
}

/**
 * The tables with text that callers wrote: prompts and addresses of tasks, and the bodies of callbacks and
 * events.
 */
const purgedTables = ["tasks", "deliveries", "events"] as const;

/** Blanks what is older, in small steps, until all of it is blanked or it is stopped. Returns the number of rows. */
export async function purgePrompts(db: Db, keptDays: number, until?: AbortSignal): Promise<number> {
  const failures: Error[] = [];
  let purged = 0;
  for (const table of purgedTables)
    try {
      let rows = purgedRowsMax;
      while (rows === purgedRowsMax && !until?.aborted) {
        rows = await purgeSome(db, table, keptDays);
        purged += rows;
      }
    } catch (error) {
      failures.push(new Error(`${table}: ${error}`));
    }
  if (failures.length > 0) throw new AggregateError(failures, failures.join("; "));
  return purged;
}

async function purgeSome(db: Db, table: string, keptDays: number): Promise<number> {
  const purged = await callFunctionIn(db, "purge_prompts", {
    table,
    before: sql<Date>`now() - ${keptDays} * interval '1 day'`,
    rows_max: purgedRowsMax,
  });
  return purged.rows_read;
}
