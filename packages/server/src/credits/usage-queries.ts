import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";
import type { AccountId } from "../ids.ts";
import type { UsageGroup, UsageUnit } from "./usage-schema.ts";

/** The SQL of usage. `record_usage` adds to the rows; here they are read, replaced and erased. */

const tables = { hour: sql.table("usage_hours"), day: sql.table("usage_days") };
export type StoredUnit = keyof typeof tables;

/** The values by which usage is grouped, as text, so that pages have one order. No key is the empty text. */
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
 * and status within an hour or a day; a month is the sum of its days.
 */
export async function listUsage(
  db: Db,
  accountId: AccountId,
  { by, group, from, to, after, rowsMax }: UsagePageOptions,
): Promise<UsageSum[]> {
  const value = sql`${group === undefined ? sql`''::text` : values[group]} collate "C"`;
  const isAfter = (start: ReturnType<typeof sql>, of: ReturnType<typeof sql>) =>
    after === null
      ? sql`true`
      : sql`(${start}, ${of}) > (id_floor(${after.start}), ${after.value})`;
  const stored = sql`
    select u.start_id as start, ${value} as value,
           coalesce(sum(u.tasks) filter (where u.status = 'COMPLETED'), 0) as completed,
           coalesce(sum(u.tasks) filter (where u.status = 'FAILED'), 0) as failed,
           sum(u.credits) as credits, sum(u.video_ms) as "videoMs"
    from ${by === "hour" ? tables.hour : tables.day} u
    where u.account_id = ${accountId} and u.start_id >= id_floor(${after?.start ?? from}) and u.start_id < id_floor(${to})
      and ${by === "month" ? sql`true` : isAfter(sql`u.start_id`, value)}
    group by 1, 2`;
  // The month is worked out once for each sum of a day, not for each row.
  const month = sql`id_floor(date_trunc('month', id_time(d.start), 'UTC'))`;
  const months = sql`
    select ${month} as start, d.value, sum(d.completed) as completed, sum(d.failed) as failed,
           sum(d.credits) as credits, sum(d."videoMs") as "videoMs"
    from (${stored}) d where ${isAfter(month, sql`d.value`)} group by 1, 2`;
  const { rows } = await sql<UsageSum>`
    select id_time(s.start) as start, s.value, k.name, s.completed::bigint, s.failed::bigint,
           s.credits::bigint, s."videoMs"::bigint
    from (${by === "month" ? months : stored} order by 1, 2 limit ${rowsMax}) s
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

/** Returns the usage of an account in an interval, by status. */
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

/** Erases the usage of an account, as the owner of the schema or the service. Returns the number of rows. */
export async function eraseUsage(db: Db, accountId: AccountId): Promise<number> {
  let erased = 0;
  for (const table of Object.values(tables))
    erased += changedRows(
      await sql`delete from ${table} where account_id = ${accountId}`.execute(db),
    );
  return erased;
}
