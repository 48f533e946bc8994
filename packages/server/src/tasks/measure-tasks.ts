import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { onlyRow } from "../db/only-row.ts";
import type { taskAges } from "../metrics/metric-table.ts";

/** Rows that a measurement reads at most: a count stops there. */
const rowsMax = 100_000;
const overdueMax = 10_000;

type TaskAge = (typeof taskAges)[number];

/** The open tasks by age, oldest first up to the bound. Ids are in the order of their time. */
export async function countOpenByAge(db: Db): Promise<ReadonlyMap<TaskAge, number>> {
  const { rows } = await sql<{ age: TaskAge; count: number }>`
    with oldest as materialized (
      select task_id from open_tasks order by task_id limit ${rowsMax}
    ), since as materialized (
      select id_floor(now() - interval '1 minute') as m1, id_floor(now() - interval '10 minutes') as m10,
             id_floor(now() - interval '1 hour') as h1, id_floor(now() - interval '3 hours') as h3
    )
    select case when task_id >= m1 then 'under_1m' when task_id >= m10 then '1m_to_10m'
                when task_id >= h1 then '10m_to_1h' when task_id >= h3 then '1h_to_3h'
                else 'over_3h' end as age, count(*) as count
    from oldest cross join since group by 1`.execute(db);
  return new Map(rows.map(({ age, count }) => [age, count]));
}

/** The age of the oldest open task, and how many should have ended by their deadline. */
export async function readLateTasks(db: Db): Promise<{ oldestSeconds: number; overdue: number }> {
  const { rows } = await sql<{ oldestSeconds: number; overdue: number }>`
    select coalesce((select greatest(0, extract(epoch from now() - id_time(task_id)))::float8
                     from open_tasks order by task_id limit 1), 0) as "oldestSeconds",
           (select count(*) from (
              select from open_tasks where deadline_at < now() - interval '1 minute'
              order by deadline_at limit ${overdueMax}) late) as overdue`.execute(db);
  return onlyRow(rows);
}
