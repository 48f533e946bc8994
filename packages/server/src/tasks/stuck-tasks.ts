import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";
import type { TaskId } from "../ids.ts";

/** The loops over open_tasks as named in stuck_rows. Each vendor account has its own. */
export const expireLoop = "expire tasks";
export const workSegmentsLoop = "work segments";
export const pollLoopOf = (vendorAccount: string) => `poll ${vendorAccount}`;

export function isTaskLoop(loop: string): boolean {
  return loop === expireLoop || loop === workSegmentsLoop || loop.startsWith("poll ");
}

/** Deletes the recorded failures of ended tasks. */
export async function forgetEndedTasks(db: Db): Promise<void> {
  await sql`
    delete from stuck_rows where (loop in (${expireLoop}, ${workSegmentsLoop}) or loop like 'poll %')
      and not exists (select from open_tasks where task_id::text = stuck_rows.key)`.execute(db);
}

/**
 * Fails a task: the sweep ends it immediately, releases its hold and sends the callback, as at its
 * deadline. A leftover row of an ended task is deleted. Returns whether there was an open row.
 */
export async function giveUpTask(db: Db, taskId: TaskId): Promise<boolean> {
  const removed = await sql`
    delete from open_tasks where task_id = ${taskId}::uuid and not exists (
      select from tasks where id = ${taskId}::uuid and completed_at is null)`.execute(db);
  if (changedRows(removed) > 0) return true;
  const result = await db
    .updateTable("open_tasks")
    .set({
      deadline_at: sql<Date>`least(deadline_at, now())`,
      failure_code: sql`coalesce(failure_code, 'task_broken')`,
    })
    .where("task_id", "=", taskId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
