import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { PinnedInput, StoredMedia } from "../db/tables/tasks.ts";
import type { FailureCode } from "../errors.ts";
import type { AccountId, TaskId } from "../ids.ts";
import type { PriceLine } from "../models/prices.ts";
import type { ModelRequest } from "../models/request.ts";

/** A task that is not over, with what its steps need. */
export interface OpenTask {
  taskId: TaskId;
  accountId: AccountId;
  vendorAccount: string;
  submitStartedAt: Date | null;
  vendorJobId: string | null;
  resultUrl: string | null;
  failureCode: FailureCode | null;
  delivered: StoredMedia | null;
  traceparent: string | null;
  steps: number;
  deadlineAt: Date;
  request: ModelRequest; // only ever written by accepting a task
  priceBook: string;
  discount: number | null;
  /** Null: it was accepted by the release before. */
  priceLines: PriceLine[] | null;
  inputs: PinnedInput[] | null;
  credits: number;
  isTest: boolean;
  submitAgeMs: number | null;
}

export async function findOpenTask(db: Db, taskId: TaskId): Promise<OpenTask | undefined> {
  const { rows } = await sql<OpenTask>`
    select o.task_id as "taskId", o.account_id as "accountId", o.vendor_account as "vendorAccount",
           o.submit_started_at as "submitStartedAt", o.vendor_job_id as "vendorJobId",
           o.result_url as "resultUrl", o.failure_code as "failureCode", o.delivered, o.traceparent,
           o.steps, o.deadline_at as "deadlineAt", t.request, t.price_schedule as "priceBook",
           t.discount, t.price_lines as "priceLines", t.inputs, t.credits, a.test_of is not null as "isTest",
           (extract(epoch from now() - o.submit_started_at) * 1000)::float8 as "submitAgeMs"
    from open_tasks o
    join tasks t on t.id = o.task_id
    join accounts a on a.id = o.account_id
    where o.task_id = ${taskId}`.execute(db);
  return rows[0];
}
