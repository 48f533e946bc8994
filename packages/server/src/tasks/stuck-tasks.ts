import { sql } from "kysely";
import type { Db } from "../db/database.ts";

/** The loops over open_tasks, as stuck_rows names them. Each vendor account has one of its own. */
export const expireLoop = "expire tasks";
export const workSegmentsLoop = "work segments";
export const pollLoopOf = (vendorAccount: string) => `watch ${vendorAccount}`;

export function isTaskLoop(loop: string): boolean {
  return loop === expireLoop || loop === workSegmentsLoop || loop.startsWith("watch ");
}

/** Forgets what failed about tasks that are over. */
export async function forgetEndedTasks(db: Db): Promise<void> {
  await sql`
    delete from stuck_rows where (loop in (${expireLoop}, ${workSegmentsLoop}) or loop like 'watch %')
      and not exists (select from open_tasks where task_id::text = stuck_rows.key)`.execute(db);
}

/**
 * Lets a task fail: the sweep ends it at once, gives its hold back and calls back, as at its deadline.
 * A row that is left of a task that is over is removed. Says whether there was an open row.
 */
export async function giveUpTask(db: Db, taskId: string): Promise<boolean> {
  const { numAffectedRows: removed } = await sql`
    delete from open_tasks where task_id = ${taskId}::uuid and not exists (
      select from tasks where id = ${taskId}::uuid and completed_at is null)`.execute(db);
  if ((removed ?? 0n) > 0n) return true;
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
