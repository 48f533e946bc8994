import { setTimeout as pause } from "node:timers/promises";
import { newId } from "@zoetrope/dev/open-accounts.ts";
import { Pool } from "pg";
import { bodyOf, error, type OpenTask } from "../../kit/end-tasks-at-once.ts";

const connectionsMax = 8;
/** Callbacks that wait for their first attempt: two seconds' worth at 200 a second. */
const waitingMax = 400;
const checkEveryMs = 100;

/**
 * Ends tasks by the function that a worker calls, each in its own transaction, at a steady rate, or
 * as fast as the machine delivers: with more than it can do, all that would be seen is a growing
 * line. All of them fail: that needs no video. Returns the rate that was reached, and how long each
 * took: where that is long, the machine is slow and not the service.
 */
export async function endTasks(
  databaseUrl: string,
  tasks: readonly OpenTask[],
  perSecond: number,
): Promise<{ reachedPerSecond: number; tookMs: number[] }> {
  const pool = new Pool({ connectionString: databaseUrl, max: connectionsMax });
  const startedAt = performance.now();
  const ending: Promise<number>[] = [];
  const end = async (task: OpenTask) => {
    const beginMs = performance.now();
    await endTask(pool, task);
    return performance.now() - beginMs;
  };
  try {
    const batch = Math.max(1, Math.round((perSecond * checkEveryMs) / 1000));
    for (let done = 0; done < tasks.length; done += batch) {
      const nextAt = performance.now() + (batch * 1000) / perSecond;
      ending.push(...tasks.slice(done, done + batch).map(end));
      do await pause(Math.max(checkEveryMs / 10, nextAt - performance.now()));
      while ((await countWaiting(pool)) > waitingMax);
    }
    const tookMs = await Promise.all(ending);
    const seconds = (performance.now() - startedAt) / 1000;
    return { reachedPerSecond: Math.round(tasks.length / seconds), tookMs };
  } finally {
    await pool.end();
  }
}

async function countWaiting(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: "waiting",
    text: "select count(*)::int as count from open_deliveries where attempts = 0",
  });
  return rows[0]?.count ?? 0;
}

async function endTask(pool: Pool, task: OpenTask): Promise<void> {
  const completedAt = new Date();
  const { rows } = await pool.query<{ isFinished: boolean }>({
    name: "finish",
    text: `select is_finished as "isFinished" from finish_task(
      p_task_id => $1, p_status => 'FAILED', p_output => null, p_error_code => $2, p_error_message => $3,
      p_completed_at => $4, p_settlement_id => $5, p_event_id => $6, p_body => $7)`,
    values: [
      task.taskId,
      error.code,
      error.sentence,
      completedAt,
      newId(),
      newId(),
      bodyOf(task, completedAt),
    ],
  });
  if (rows[0]?.isFinished !== true) throw new Error(`task ${task.taskId} had ended before`);
}
