import { sql } from "kysely";
import { createBatch, sharedBy } from "../db/batch.ts";
import type { Db } from "../db/database.ts";
import type { PriceSchedule } from "../db/tables/accounts.ts";
import type { PinnedInput, StoredMedia } from "../db/tables/tasks.ts";
import type { FailureCode } from "../errors.ts";
import type { AccountId, TaskId } from "../ids.ts";
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
  priceSchedule: PriceSchedule;
  inputs: PinnedInput[] | null;
  credits: number;
  isTest: boolean;
  submitAgeMs: number | null;
}

export function findOpenTask(db: Db, taskId: TaskId): Promise<OpenTask | undefined> {
  return openTaskReads(db)(taskId);
}

/** Those that are wanted at the same moment are read at once, each looked up by its id. */
const openTaskReads = sharedBy((db: Db) =>
  createBatch<TaskId, OpenTask | undefined>({
    keyOf: (taskId) => taskId,
    async run(taskIds) {
      const { rows } = await sql<OpenTask>`
        select o.task_id as "taskId", o.account_id as "accountId", o.vendor_account as "vendorAccount",
               o.submit_started_at as "submitStartedAt", o.vendor_job_id as "vendorJobId",
               o.result_url as "resultUrl", o.failure_code as "failureCode", o.delivered, o.traceparent,
               o.steps, o.deadline_at as "deadlineAt", t.request, t.price_schedule as "priceSchedule",
               t.inputs, t.credits, a.test_of is not null as "isTest",
               (extract(epoch from now() - o.submit_started_at) * 1000)::float8 as "submitAgeMs"
        from unnest(${taskIds}::uuid[]) as wanted (id)
        cross join lateral (
          select task_id, account_id, vendor_account, submit_started_at, vendor_job_id, result_url,
                 failure_code, delivered, traceparent, steps, deadline_at
          from open_tasks where task_id = wanted.id limit 1) o
        cross join lateral (
          select request, price_schedule, inputs, credits from tasks where id = wanted.id limit 1) t
        cross join lateral (select test_of from accounts where id = o.account_id limit 1) a`.execute(
        db,
      );
      const found = new Map(rows.map((task) => [task.taskId, task]));
      return taskIds.map((taskId) => found.get(taskId));
    },
  }),
);
