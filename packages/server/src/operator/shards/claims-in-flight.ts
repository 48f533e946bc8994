import type { Db } from "../../db/database.ts";
import type { AccountId } from "../../ids.ts";
import { upscalerAccount } from "../../upscale/validate-source.ts";
import { run } from "./sides.ts";

/**
 * How many submits of these accounts are under way: a vendor is being called, or it is not known yet what
 * came of the call. Registering an asset is not among them: a vendor that has it already is found by its
 * name, whoever asks.
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
