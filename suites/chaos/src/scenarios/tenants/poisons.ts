import { newId } from "@zoetrope/dev/open-accounts.ts";

/** A row that a loop cannot process, and the statement that inserts it. */
export interface Poison {
  sql: string;
  values: unknown[];
}

/** Rows as bugs and broken disks leave them; no constraint refuses them. */
export function poisonsOf(
  accountId: string,
  receiverUrl: string,
  objectKey: string,
): Record<string, Poison> {
  const deliveryId = newId();
  const taskId = newId();
  const jobTaskId = newId();
  return {
    "a delivery at the end of its counter": {
      sql: `with made as (
          insert into deliveries (id, account_id, url, body) values ($1, $2, $3, '{}') returning id)
        insert into open_deliveries (delivery_id, account_id, host, attempts, attempts_before, next_attempt_at)
        select id, $2, $4, 32767, 32767, now() from made`,
      values: [
        deliveryId,
        accountId,
        `${receiverUrl}/hooks/well/poison`,
        new URL(receiverUrl).host,
      ],
    },
    "a delivery to no address": {
      sql: `with made as (
          insert into deliveries (id, account_id, url, body) values ($1, $2, 'no address', '{}') returning id)
        insert into open_deliveries (delivery_id, account_id, host, next_attempt_at)
        select id, $2, '', now() from made`,
      values: [newId(), accountId],
    },
    "a task without inputs": { sql: taskSql(null), values: [taskId, accountId, newId()] },
    "a task of a vendor that is gone": {
      sql: taskSql("gone"),
      values: [jobTaskId, accountId, newId()],
    },
    "a task past its deadline whose hold is not there": {
      sql: `with made as (
          insert into tasks (id, account_id, kind, model, request, price_schedule, credits, created_at)
          values ($1, $2, 'generation', 'sd2', '{}', 'A', 999999999, now()) returning id)
        insert into open_tasks (task_id, account_id, vendor_account, deadline_at, next_step_at)
        select id, $2, 'none', now() - interval '1 minute', now() from made`,
      values: [newId(), accountId],
    },
    "an object that cannot be removed": {
      sql: `insert into media_objects (key, expires_at) values ($1, now() - interval '1 hour')
        on conflict (key) do update set expires_at = excluded.expires_at`,
      values: [objectKey],
    },
    "an asset without an address": {
      sql: `insert into assets (upstream_asset_id, account_id, type, status, url, next_step_at)
        values ($1, $2, 'IMAGE', 'PROCESSING', 'no address', now())`,
      values: [`asset-20260101-${newId().slice(-8)}`, accountId],
    },
    "a segment without a plan": {
      sql: `with made as (
          insert into upscales (task_id, account_id, source_key, owns_source, plan)
          values ($1, $2, 'nothing.mp4', false, '{}') returning task_id)
        insert into upscale_segments (task_id, number, plan, frames) select task_id, 0, '{}', 1 from made`,
      values: [jobTaskId, accountId],
    },
  };
}

/** An accepted task, with its hold, whose request is empty. */
function taskSql(vendorAccount: string | null): string {
  const submitted = vendorAccount === null ? "null" : "now()";
  return `with held as (select post_transfer(
      p_cause_id => $1, p_kind => 'hold', p_transfer_id => $3, p_account_id => $2, p_amount => 30)), made as (
      insert into tasks (id, account_id, kind, model, request, price_schedule, credits, created_at)
      select $1, $2, 'generation', 'sd2', '{}', 'A', 30, now() from held returning id)
    insert into open_tasks
      (task_id, account_id, vendor_account, deadline_at, next_step_at, submit_started_at, vendor_job_id)
    select id, $2, '${vendorAccount ?? "none"}', now() + interval '20 seconds', now(), ${submitted},
           ${vendorAccount === null ? "null" : "id::text"} from made`;
}
