import { sql } from "kysely";
import type { Db } from "../../db/database.ts";

/** Takes the partitions that are due to be asked; each is taken by one worker. */
export async function takeDuePartitions(
  db: Db,
  partitions: number,
  everyMs: number,
): Promise<number[]> {
  const { rows } = await sql<{ partition: number }>`
    insert into engine_partitions (partition)
    select generate_series(0, ${partitions}::int - 1)
    on conflict (partition) do update set asked_at = now()
    where engine_partitions.asked_at <= now() - ${everyMs}::float8 * interval '1 millisecond'
    returning partition`.execute(db);
  return rows.map(({ partition }) => partition);
}

/** Something ran there. */
export async function recordAnswer(db: Db, partition: number): Promise<void> {
  await db
    .updateTable("engine_partitions")
    .set({ answered_at: sql`now()` })
    .where("partition", "=", partition)
    .execute();
}

export interface PartitionState {
  partition: number;
  askedAt: Date;
  answeredAt: Date;
  /** The seconds since something last ran there; 0 if it has answered the last question. */
  silentSeconds: number;
}

export async function readPartitions(db: Db, partitions: number): Promise<PartitionState[]> {
  return db
    .selectFrom("engine_partitions")
    .select(["partition", "asked_at as askedAt", "answered_at as answeredAt"])
    .select(
      sql<number>`case when answered_at >= asked_at then 0
        else extract(epoch from now() - answered_at)::float8 end`.as("silentSeconds"),
    )
    .where("partition", "<", partitions)
    .orderBy("partition")
    .execute();
}
