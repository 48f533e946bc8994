import { newId, type OpenedAccount } from "@zoetrope/dev/open-accounts.ts";
import type { Client } from "pg";
import type { OpenTask } from "../../kit/end-tasks-at-once.ts";

export interface TaskRequest {
  account: OpenedAccount;
  callbackUrl: string;
}

export const creditsPerTask = 24;
const atOnceMax = 400;
const hourMs = 3_600_000;
const request = { outputResolution: "480p", durationSeconds: 4, prompt: "A kite" };

/**
 * Accepts tasks by the function that the api calls for each, many in one statement. They are not to be
 * begun before an hour has passed: their ends come from outside.
 */
export async function makeTasks(db: Client, requests: readonly TaskRequest[]): Promise<OpenTask[]> {
  const tasks: OpenTask[] = [];
  for (let first = 0; first < requests.length; first += atOnceMax) {
    const some = requests.slice(first, first + atOnceMax);
    const taskIds = some.map(newId);
    const { rows } = await db.query<{ outcome: string }>(
      `select (accept_task(
         p_account_id => account_id, p_key_id => key_id, p_task_id => task_id, p_hold_id => hold_id,
         p_kind => 'generation', p_model => 'sd2', p_request => $6, p_price_schedule => 'A', p_credits => $7,
         p_credits_max => null, p_callback_url => callback_url, p_vendor_account => 'ark', p_age_max_ms => $8,
         p_wake_again_ms => $8, p_idempotency_key => null, p_fingerprint => null)).outcome
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[])
         as o (account_id, key_id, task_id, hold_id, callback_url)`,
      [
        some.map(({ account }) => account.accountId),
        some.map(({ account }) => account.keyId),
        taskIds,
        some.map(newId),
        some.map((wanted) => wanted.callbackUrl),
        request,
        creditsPerTask,
        hourMs,
      ],
    );
    const refused = rows.find(({ outcome }) => outcome !== "accepted");
    if (refused !== undefined) throw new Error(`a task was not accepted: ${refused.outcome}`);
    const { rows: made } = await db.query<{ id: string; at: Date }>(
      "select id, created_at as at from tasks where id = any($1::uuid[])",
      [taskIds],
    );
    const times = new Map(made.map(({ id, at }) => [id, at.getTime()]));
    tasks.push(...taskIds.map((taskId) => ({ taskId, createTime: times.get(taskId) ?? 0 })));
  }
  return tasks;
}
