import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { AccountId, TaskId } from "../ids.ts";
import type { ModelRequest } from "../models/request.ts";

/** The SQL of bringing a restored database in line with vendors and engine, while nothing else works on it. */

/** Returns the time at which the youngest row was written: what happened later is not in this database. */
export async function readLastChange(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select greatest(
      (select created_at from tasks order by id desc limit 1),
      (select created_at from events order by id desc limit 1)) as at`.execute(db);
  return rows[0]?.at ?? null;
}

/** The processes of the service that are connected now. */
export async function listServiceProcesses(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name ~ '^zoetrope (api|worker)'`.execute(db);
  return rows.map(({ name }) => name);
}

/** The detail in the record of a submit that reconciliation claimed. */
export const claimedDetail = "claimed after a restore: the task may have been submitted before";

/** The open tasks for which a vendor may be at work without a row that says so. */
export async function listUnexplained(db: Db) {
  return db
    .selectFrom("open_tasks")
    .innerJoin("tasks", "tasks.id", "open_tasks.task_id")
    .innerJoin("accounts", "accounts.id", "open_tasks.account_id")
    .select([
      "task_id as taskId",
      "open_tasks.account_id as accountId",
      "kind",
      "model",
      "vendor_account as vendorAccount",
      "submit_started_at as submitStartedAt",
      "deadline_at as deadlineAt",
      "tasks.created_at as createdAt",
      sql<ModelRequest>`request`.as("request"),
      sql<boolean>`test_of is not null`.as("isTest"),
      sql<boolean>`exists (select from submissions s where s.task_id = open_tasks.task_id
        and s.started_at = submit_started_at and s.detail = ${claimedDetail})`.as("isClaimed"),
    ])
    .where("vendor_job_id", "is", null)
    .where("delivered", "is", null)
    .where("failure_code", "is", null)
    .orderBy("task_id")
    .execute();
}

/** The vendors' jobs that belong to a task, as far back as tasks can have been at work since then. */
export async function listTakenSince(db: Db, since: Date): Promise<Set<string>> {
  const { rows } = await sql<{ jobId: string }>`
    select vendor_job_id as "jobId" from submissions
    where vendor_job_id is not null
      and task_id >= id_floor(${since}::timestamptz - interval '7 days')`.execute(db);
  return new Set(rows.map(({ jobId }) => jobId));
}

/** Gives up the claim of a submit that was under way at the point, for another that takes its place. */
export async function dropClaim(db: Db, taskId: TaskId): Promise<void> {
  await db
    .updateTable("open_tasks")
    .set({ submit_started_at: null })
    .where("task_id", "=", taskId)
    .where("vendor_job_id", "is", null)
    .execute();
}

/** Tasks with a job whose deadline comes sooner than this: they would fail before they are polled. */
export async function listOverdue(db: Db, withinMs: number) {
  return db
    .selectFrom("open_tasks")
    .select(["task_id as taskId", "account_id as accountId", "deadline_at as deadlineAt"])
    .where("vendor_job_id", "is not", null)
    .where("failure_code", "is", null)
    .where("deadline_at", "<", inMsFromNow(withinMs))
    .execute();
}

export async function postponeDeadline(db: Db, taskId: TaskId, forMs: number): Promise<void> {
  await db
    .updateTable("open_tasks")
    .set({ deadline_at: inMsFromNow(forMs) })
    .where("task_id", "=", taskId)
    .execute();
}

const inMsFromNow = (ms: number) => sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`;

export async function listAccountIds(db: Db, after: AccountId | null, rowsMax: number) {
  const rows = await db
    .selectFrom("accounts")
    .select("id")
    .$if(after !== null, (all) => all.where("id", ">", after ?? ("" as AccountId)))
    .orderBy("id")
    .limit(rowsMax)
    .execute();
  return rows.map(({ id }) => id);
}

export async function isOpenTask(db: Db, taskIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select task_id as id from open_tasks where task_id::text = any (${[...taskIds]}::text[])`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}
