import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";
import type { AccountId } from "../ids.ts";
import type { UsageGroup, UsageUnit } from "./usage-schema.ts";

/** The SQL of usage. `record_usage` adds to the rows; here they are read, replaced and erased. */

const tables = { hour: sql.table("usage_hours"), day: sql.table("usage_days") };
export type StoredUnit = keyof typeof tables;

/** As text, so that pages have one order; no key is the empty text. */
const values = {
  model: sql<string>`u.model`,
  key: sql<string>`coalesce(u.key_id::text, '')`,
  status: sql<string>`u.status`,
};

interface UsagePageOptions {
  by: UsageUnit;
  group: UsageGroup | undefined;
  /** The beginning of an interval. */
  from: Date;
  to: Date;
  /** The last item of the previous page. */
  after: { start: Date; value: string } | null;
  rowsMax: number;
}

interface UsageSum {
  start: Date;
  value: string;
  name: string | null;
  completed: number;
  failed: number;
  credits: number;
  videoMs: number;
}

/**
 * Sums of an account's intervals, oldest first. Read is a range of one index: a row for each model, key
 * and status within an hour or a day; 31 days for a month.
 */
export async function listUsage(
  db: Db,
  accountId: AccountId,
  { by, group, from, to, after, rowsMax }: UsagePageOptions,
): Promise<UsageSum[]> {
  const table = by === "hour" ? tables.hour : tables.day;
  const start =
    by === "month"
      ? sql`id_floor(date_trunc('month', id_time(u.start_id), 'UTC'))`
      : sql`u.start_id`;
  const value = group === undefined ? sql<string>`''::text` : values[group];
  const first = after?.start ?? from;
  const isAfter =
    after === null
      ? sql`true`
      : sql`(${start}, ${value} collate "C") > (id_floor(${after.start}), ${after.value})`;
  const { rows } = await sql<UsageSum>`
    select id_time(s.start) as start, s.value, k.name, s.completed, s.failed, s.credits, s."videoMs"
    from (
      select ${start} as start, ${value} collate "C" as value,
             coalesce(sum(u.tasks) filter (where u.status = 'COMPLETED'), 0)::bigint as completed,
             coalesce(sum(u.tasks) filter (where u.status = 'FAILED'), 0)::bigint as failed,
             sum(u.credits)::bigint as credits, sum(u.video_ms)::bigint as "videoMs"
      from ${table} u
      where u.account_id = ${accountId} and u.start_id >= id_floor(${first}) and u.start_id < id_floor(${to})
        and ${isAfter}
      group by 1, 2 order by 1, 2 limit ${rowsMax}
    ) s
    left join api_keys k on ${group === "key" ? sql`k.id = nullif(s.value, '')::uuid` : sql`false`}
    order by s.start, s.value`.execute(db);
  return rows;
}

export interface UsageRow {
  start: Date;
  kind: "generation" | "upscale";
  model: string;
  keyId: string | null;
  status: "COMPLETED" | "FAILED";
  tasks: number;
  credits: number;
  videoMs: number;
}

/** What an interval of an account has, by status. */
export async function sumUsage(
  db: Db,
  accountId: AccountId,
  unit: StoredUnit,
  starts: readonly Date[],
): Promise<Pick<UsageRow, "start" | "status" | "tasks" | "credits">[]> {
  const { rows } = await sql<Pick<UsageRow, "start" | "status" | "tasks" | "credits">>`
    select id_time(start_id) as start, status, sum(tasks)::bigint as tasks, sum(credits)::bigint as credits
    from ${tables[unit]}
    where account_id = ${accountId}
      and start_id = any (array(select id_floor(at) from unnest(${starts}::timestamptz[]) at))
    group by start_id, status`.execute(db);
  return rows;
}

/** Replaces all rows of one interval. The account's row must be locked. */
export async function replaceUsage(
  db: Db,
  accountId: AccountId,
  unit: StoredUnit,
  start: Date,
  rows: readonly UsageRow[],
): Promise<void> {
  const table = tables[unit];
  await sql`delete from ${table} where account_id = ${accountId} and start_id = id_floor(${start})`.execute(
    db,
  );
  for (const row of rows)
    await sql`
      insert into ${table} (start_id, account_id, kind, model, key_id, status, tasks, credits, video_ms)
      values (id_floor(${start}), ${accountId}, ${row.kind}, ${row.model}, ${row.keyId}, ${row.status},
              ${row.tasks}, ${row.credits}, ${row.videoMs})`.execute(db);
}

/** As the owner of the schema or the service. Returns the number of rows. */
export async function eraseUsage(db: Db, accountId: AccountId): Promise<number> {
  let erased = 0;
  for (const table of Object.values(tables))
    erased += changedRows(
      await sql`delete from ${table} where account_id = ${accountId}`.execute(db),
    );
  return erased;
}
