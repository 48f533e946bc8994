import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { TaskId } from "../../ids.ts";

/** The SQL of comparing the upscales of a restored database with storage and vendor, while no worker runs. */

/** Every upscale with the objects that it needs. */
export async function listUpscaleFiles(db: Db) {
  const { rows } = await sql<{
    taskId: TaskId;
    sourceKey: string;
    done: { number: number; key: string }[];
  }>`
    select u.task_id as "taskId", source_key as "sourceKey",
      coalesce((select jsonb_agg(jsonb_build_object('number', number, 'key', object_key))
        from upscale_segments s where s.task_id = u.task_id and object_key is not null), '[]') as done
    from upscales u join open_tasks o on o.task_id = u.task_id
    where o.failure_code is null`.execute(db);
  return rows;
}

/** The segment is made again. */
export async function redoSegment(db: Db, taskId: TaskId, number: number): Promise<void> {
  await sql`update upscale_segments set object_key = null, size_bytes = null, free_at = now()
    where task_id = ${taskId} and number = ${number}`.execute(db);
}

/** Videos that a vendor is to upscale and, say the rows, was not asked to. */
export async function listUnsent(db: Db): Promise<TaskId[]> {
  const { rows } = await sql<{ taskId: TaskId }>`
    select distinct s.task_id as "taskId" from upscale_segments s join upscales u on u.task_id = s.task_id
    where u.plan ->> 'by' = 'vendor' and submit_started_at is null and object_key is null
      and failure is null`.execute(db);
  return rows.map(({ taskId }) => taskId);
}

/** The submit is unknown from now on: a worker gives the video up, without a charge. */
export async function claimUnsent(db: Db, taskId: TaskId): Promise<void> {
  await sql`update upscale_segments set submit_started_at = now()
    where task_id = ${taskId} and submit_started_at is null and object_key is null`.execute(db);
}
