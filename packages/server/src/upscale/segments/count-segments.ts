import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { segmentStates } from "../../metrics/metric-table.ts";

const rowsMax = 100_000;

type SegmentState = (typeof segmentStates)[number];

/** The segments of open upscales; `later` waits to be started or polled again. */
export async function countSegments(db: Db): Promise<ReadonlyMap<SegmentState, number>> {
  const { rows } = await sql<{ state: SegmentState; count: number }>`
    select case when object_key is not null then 'done' when failure is not null then 'failed'
                when free_at <= now() then 'free' when leased_by is not null then 'leased'
                else 'later' end as state, count(*) as count
    from (select object_key, failure, free_at, leased_by from upscale_segments
          order by task_id, number limit ${rowsMax}) s
    group by 1`.execute(db);
  return new Map(rows.map(({ state, count }) => [state, count]));
}
