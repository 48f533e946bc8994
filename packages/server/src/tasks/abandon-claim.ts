import type { Connections } from "../db/connections.ts";
import type { TaskId } from "../ids.ts";

/**
 * Gives back a claim whose response was lost, if it was made: the vendor was not called. Returns whether it
 * was. Otherwise the task would wait for a submit that nobody makes.
 */
export async function abandonClaim(
  pool: Connections,
  { taskId, claimId }: { taskId: TaskId; claimId: string },
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "abandon claim",
    text: `
      with claimed as (
        select submit_started_at from open_tasks
        where task_id = $1 and claim_id = $2 and submit_started_at is not null
          and vendor_job_id is null and delivered is null and failure_code is null
        for update
      ), noted as (
        update submissions set
          outcome = 'unavailable', detail = 'the vendor was not called: the claim was not confirmed', ended_at = now(),
          cost_units = null, cost_micros = null, cost_currency = null, cost_version = null, cost_source = null
        from claimed where task_id = $1 and started_at = claimed.submit_started_at
      )
      update open_tasks set submit_started_at = null, next_step_at = now()
      from claimed where task_id = $1`,
    values: [taskId, claimId],
  });
  return rowCount === 1;
}
