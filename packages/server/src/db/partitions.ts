import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { callFunctionIn, type Db, isUnavailable } from "./database.ts";

/** The tables that grow for ever, by the months of their ids. */
export const historyTables = [
  "tasks",
  "transfers",
  "entries",
  "lot_uses",
  "submissions",
  "deliveries",
  "attempts",
  "events",
  "audit_entries",
  "usage_hours",
  "usage_days",
] as const;
export type HistoryTable = (typeof historyTables)[number];

const monthsAheadUsual = 2;
/** Moved out of a default partition in one transaction, during which nobody reads or writes it. */
const movedRowsMax = 5_000;
const triesMax = 30;
const retryMsMax = 2_000;

/**
 * Makes the partitions of this month and the next ones, and of months whose rows are in the default
 * partition. Each is made in a separate transaction with a short lock timeout and is retried. A failure of
 * one table does not affect the others.
 */
export async function ensurePartitions(
  db: Db,
  { until, monthsAhead = monthsAheadUsual }: { until?: AbortSignal; monthsAhead?: number } = {},
): Promise<void> {
  const failures: Error[] = [];
  for (const table of historyTables)
    for (const month of await monthsOf(db, table, monthsAhead))
      await ensureMonth(db, table, month, until).catch((error: unknown) => {
        failures.push(new Error(`${table} ${month.toISOString().slice(0, 7)}: ${error}`));
      });
  if (failures.length > 0) throw new AggregateError(failures, failures.join("; "));
}

async function monthsOf(db: Db, table: HistoryTable, monthsAhead: number): Promise<Date[]> {
  const { rows } = await sql<{ month: Date }>`
    select month from default_months(p_parent => ${table})
    union
    select date_trunc('month', now(), 'UTC') + number * interval '1 month'
    from generate_series(0, ${monthsAhead}::integer) as number
    order by month`.execute(db);
  return rows.map(({ month }) => month);
}

async function ensureMonth(
  db: Db,
  table: HistoryTable,
  month: Date,
  until?: AbortSignal,
): Promise<void> {
  let isComplete = false;
  while (!isComplete && !until?.aborted)
    isComplete = await retryLocks(async () => {
      const part = { parent: table, month, rows_max: movedRowsMax };
      const made = await callFunctionIn(db, "create_partition", part);
      return made.is_complete;
    }, until);
}

/** The more often it found the lock taken, the longer it leaves the others alone. */
export async function retryLocks<Result>(
  work: () => Promise<Result>,
  until?: AbortSignal,
  tries = 1,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (tries === triesMax || until?.aborted || !isUnavailable(error)) throw error;
    await pause(Math.min(50 * tries, retryMsMax) * (0.5 + Math.random()));
    return retryLocks(work, until, tries + 1);
  }
}
