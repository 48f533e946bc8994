import { newId } from "@zoetrope/dev/open-accounts.ts";
import type { Client } from "pg";

/** A task that has been accepted and waits for its end. */
export interface OpenTask {
  taskId: string;
  createTime: number;
}

export const error = { code: "vendor_failed", sentence: "The vendor could not make it." };

/** All in one transaction: nobody measures by these. */
export async function endTasksAtOnce(db: Client, tasks: readonly OpenTask[]): Promise<void> {
  const completedAt = new Date();
  await db.query(
    `select finish_task(
       p_task_id => task_id, p_status => 'FAILED', p_output => null, p_error_code => $1, p_error_message => $2,
       p_completed_at => $3, p_settlement_id => settlement, p_event_id => delivery, p_body => body)
     from unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::text[]) as t (task_id, settlement, delivery, body)`,
    [
      error.code,
      error.sentence,
      completedAt,
      tasks.map(({ taskId }) => taskId),
      tasks.map(newId),
      tasks.map(newId),
      tasks.map((task) => bodyOf(task, completedAt)),
    ],
  );
}

/** Returns the response to a query of the task after its end. */
export function bodyOf({ taskId, createTime }: OpenTask, completedAt: Date): string {
  return JSON.stringify({
    taskId,
    model: "sd2",
    status: "FAILED",
    creditsUsed: 0,
    output: null,
    error: error.sentence,
    errorCode: error.code,
    createTime,
    completeTime: completedAt.getTime(),
  });
}
