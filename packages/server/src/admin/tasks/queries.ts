import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { AccountId, TaskId } from "../../ids.ts";

/** The SQL of tasks as operators search them. Reads alone. */

export type StaffTaskRow = Awaited<ReturnType<typeof listTasksOf>>[number];

function selectTasks(db: Db) {
  return db
    .selectFrom("tasks as t")
    .leftJoin("open_tasks as o", "o.task_id", "t.id")
    .select([
      "t.id",
      "t.account_id as accountId",
      "t.key_id as keyId",
      "t.kind",
      "t.model",
      "t.status",
      "t.credits",
      "t.error_code as errorCode",
      "t.error_message as errorMessage",
      "t.created_at as createdAt",
      "t.completed_at as completedAt",
      "o.task_id as openId",
      "o.vendor_account as vendorAccount",
      "o.vendor_job_id as vendorJobId",
      "o.submit_started_at as submitStartedAt",
      "o.deadline_at as deadlineAt",
      "o.next_step_at as nextStepAt",
      "o.steps",
      sql<string | null>`(select s.vendor_account from submissions s where s.task_id = t.id
        order by s.started_at desc limit 1)`.as("lastVendorAccount"),
    ]);
}

export async function findStaffTasks(db: Db, ids: readonly TaskId[]) {
  if (ids.length === 0) return [];
  return selectTasks(db)
    .where("t.id", "=", sql<TaskId>`any (${[...ids]}::uuid[])`)
    .orderBy("t.id", "desc")
    .execute();
}

/** Newest first. */
export async function listTasksOf(
  db: Db,
  accountId: AccountId,
  { before, rowsMax }: { before: TaskId | null; rowsMax: number },
) {
  const rows = selectTasks(db)
    .where("t.account_id", "=", accountId)
    .orderBy("t.id", "desc")
    .limit(rowsMax);
  return (before === null ? rows : rows.where("t.id", "<", before)).execute();
}

/** Running tasks with this job, by the index of the job ids of each vendor account. */
export async function findOpenByJob(
  db: Db,
  vendorAccounts: readonly string[],
  vendorJobId: string,
): Promise<TaskId[]> {
  const { rows } = await sql<{ id: TaskId }>`
    select o.task_id as id from unnest(${[...vendorAccounts]}::text[]) as name
    join open_tasks o on o.vendor_account = name and o.vendor_job_id = ${vendorJobId}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Looks for a job among the newest submits before a task, a bounded number of them: an index by job id
 * would cost every submit a write. `last`: where to go on; null: there is nothing older.
 */
export async function scanSubmits(
  db: Db,
  vendorJobId: string,
  { before, rowsMax }: { before: TaskId | null; rowsMax: number },
): Promise<{ found: TaskId[]; last: TaskId | null }> {
  // With that task: a page may end between two of its submits.
  const isBefore = before === null ? sql`true` : sql`task_id <= ${before}::uuid`;
  const { rows } = await sql<{ found: TaskId[] | null; last: TaskId | null; rows: number }>`
    select array_agg(distinct task_id) filter (where vendor_job_id = ${vendorJobId}) as found,
           min(task_id::text)::uuid as last, count(*)::int as rows
    from (select task_id, vendor_job_id from submissions where ${isBefore}
          order by task_id desc limit ${rowsMax}) s`.execute(db);
  const [read] = rows;
  return {
    found: read?.found ?? [],
    last: read !== undefined && read.rows === rowsMax ? read.last : null,
  };
}

/** Returns the vendor's job of a task, while it runs. */
export async function findOpenJob(db: Db, taskId: TaskId) {
  return db
    .selectFrom("open_tasks")
    .select(["vendor_account as vendorAccount", "vendor_job_id as vendorJobId"])
    .where("task_id", "=", taskId)
    .executeTakeFirst();
}
