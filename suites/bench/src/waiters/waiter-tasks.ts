import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { newId, type TaskId } from "@zoetrope/server/ids.ts";
import {
  accountCount,
  accountIdOf,
  type BenchDatabase,
  keyIdOf,
  sampleTask,
} from "../create/bench-database.ts";
import type { Waiter } from "./messages.ts";

const hourMs = 3_600_000;

/** A new task for every client; every other one follows a stream. */
export async function makeWaiters(database: BenchDatabase, count: number): Promise<Waiter[]> {
  const accounts = Array.from({ length: count }, (_, n) => n % accountCount);
  const taskIds = accounts.map(() => newId<TaskId>(0));
  await withClient(database.ownerUrl, async (client) => {
    await client.query(
      `select accept_task(
         p_account_id => account_id, p_key_id => key_id, p_task_id => task_id, p_hold_id => hold_id,
         p_kind => 'generation', p_model => 'sd2', p_request => $5, p_price_schedule => 'A', p_credits => 30,
         p_credits_max => null, p_callback_url => null, p_vendor_account => 'ark', p_age_max_ms => $6,
         p_wake_again_ms => 10000, p_idempotency_key => null, p_fingerprint => null)
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) as o (account_id, key_id, task_id, hold_id)`,
      [
        accounts.map(accountIdOf),
        accounts.map(keyIdOf),
        taskIds,
        accounts.map(() => newId(0)),
        sampleTask.request,
        2 * hourMs,
      ],
    );
  });
  return taskIds.map((taskId, n) => ({
    taskId,
    key: database.keys[accounts[n] ?? 0] ?? "",
    isStream: Math.floor(n / 2) % 2 === 0,
  }));
}

/**
 * Returns the times at which the ends of tasks were committed, by the database's own record, in
 * milliseconds since 1970.
 */
export async function readCommitTimes(
  database: BenchDatabase,
  waiters: Waiter[],
): Promise<Map<string, number>> {
  return withClient(database.ownerUrl, async (client) => {
    const { rows } = await client.query<{ id: string; at: number }>(
      `select id, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as at
       from tasks where id = any($1) and completed_at is not null`,
      [waiters.map(({ taskId }) => taskId)],
    );
    return new Map(rows.map(({ id, at }) => [id, at]));
  });
}
