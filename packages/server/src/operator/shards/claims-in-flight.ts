import type { Db } from "../../db/database.ts";
import type { AccountId } from "../../ids.ts";
import { upscalerAccount } from "../../upscale/validate-source.ts";
import { run } from "./sides.ts";

/**
 * Returns the number of submits of these accounts that are in flight: a vendor is being called, or the
 * outcome of the call is not yet known. Registering an asset does not count: an asset that a vendor already
 * has is found by its name from any shard.
 */
export async function countClaims(db: Db, ids: readonly AccountId[]): Promise<number> {
  const { rows } = await run<{ count: number }>(
    db,
    `select (
       select count(*) from open_tasks
       where account_id = any ($1) and submit_started_at is not null and vendor_account <> $2
         and vendor_job_id is null and result_url is null and failure_code is null and delivered is null
     ) + (
       select count(*) from upscales u join upscale_segments s on s.task_id = u.task_id
       where u.account_id = any ($1) and s.submit_started_at is not null
         and s.vendor_job_id is null and s.object_key is null and s.failure is null
     ) as count`,
    [ids, upscalerAccount],
  );
  return rows[0]?.count ?? 0;
}
