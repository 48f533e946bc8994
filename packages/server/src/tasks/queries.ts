import { type RawBuilder, sql } from "kysely";
import { callSaveEnds, endsOf, type JobEnd } from "../batches/save-ends.ts";
import type { Connections } from "../db/connections.ts";
import type { Db } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";
import { isNotStuck } from "../db/stuck-rows.ts";
import type { PinnedInput } from "../db/tables/tasks.ts";
import type { TaskKind } from "../engine/waker.ts";
import type { AccountId, TaskId } from "../ids.ts";
import { expireLoop, pollLoopOf } from "./stuck-tasks.ts";
import type { TaskRow } from "./task-row.ts";

/**
 * The SQL on tasks and open_tasks, except accepting and finishing, which are database functions, and
 * submits. Times are the database's: hosts' clocks may differ.
 */

/** The maximum delay between polls, and between wake-ups without effect. */
const waitingMsMax = 60_000;
const wokenMsMax = 15_000;

const oneMore = sql<number>`least(steps + 1, 1000)`; // caps the exponent, so that it cannot overflow

/** Backoff that grows with every step, with jitter. */
function nextStep(firstMs: number, msMax: number): RawBuilder<Date> {
  return sql<Date>`now() + least(${msMax}::double precision, ${firstMs}::double precision * power(1.5, least(steps, 20)))
    * (0.8 + 0.4 * random()) * interval '1 millisecond'`;
}

/** Named one by one: a column that is added must not change what a running process reads. */
const taskColumns = [
  "id",
  "account_id",
  "key_id",
  "kind",
  "model",
  "request",
  "price_schedule",
  "discount",
  "price_lines",
  "credits",
  "callback_url",
  "status",
  "inputs",
  "output",
  "error_code",
  "error_message",
  "created_at",
  "completed_at",
] as const;

export async function findTask(db: Db, taskId: TaskId): Promise<TaskRow | undefined> {
  return db.selectFrom("tasks").select(taskColumns).where("id", "=", taskId).executeTakeFirst();
}

interface TaskNow {
  task: TaskRow;
  now: Date;
  /** Whether the task is of a test account. */
  isTest: boolean;
}

/** A task and the database's current time. */
export async function findTaskNow(db: Db, taskId: TaskId): Promise<TaskNow | undefined> {
  const row = await db
    .selectFrom("tasks")
    .innerJoin("accounts", "accounts.id", "tasks.account_id")
    .select(taskColumns.map((column) => `tasks.${column}` as const))
    .select([sql<Date>`now()`.as("now"), sql<boolean>`accounts.test_of is not null`.as("isTest")])
    .where("tasks.id", "=", taskId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { now, isTest, ...task } = row;
  return { task, now, isTest };
}

/** Pins the copies of a task's external files; the first ones stay. */
export async function saveInputs(db: Db, taskId: TaskId, inputs: PinnedInput[]): Promise<boolean> {
  const result = await db
    .updateTable("tasks")
    .set({ inputs: JSON.stringify(inputs) })
    .where("id", "=", taskId)
    .where("inputs", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** No vendor account accepts the task at the moment. */
export async function postponeSubmit(db: Db, taskId: TaskId, againMs: number): Promise<void> {
  await db
    .updateTable("open_tasks")
    .set({ next_step_at: inMs(againMs) })
    .where("task_id", "=", taskId)
    .where("submit_started_at", "is", null)
    .execute();
}

/** Nothing has changed: the jobs are polled again later, with backoff. */
export async function postponePolls(db: Db, taskIds: TaskId[], firstMs: number): Promise<void> {
  if (taskIds.length === 0) return;
  await db
    .updateTable("open_tasks")
    .set({ next_step_at: nextStep(firstMs, waitingMsMax), steps: oneMore })
    .where("task_id", "in", taskIds)
    .where("submit_started_at", "is not", null)
    .execute();
}

/**
 * Records how jobs ended: all in one transaction, or none. Callers that record a single end at the same
 * moment share a transaction.
 */
export async function saveEnds(pool: Connections, ends: readonly JobEnd[]): Promise<void> {
  const [end, ...others] = ends;
  if (end === undefined) return;
  if (others.length === 0) await endsOf(pool)(end);
  else await callSaveEnds(pool, ends, "long");
}

/** Unsubmitted tasks whose wake-up is overdue; taking one postpones its next step. */
export async function takeUnsubmitted(db: Db, submitAgainMs: number, rowsMax: number) {
  return db
    .updateTable("open_tasks")
    .set({ next_step_at: nextStep(submitAgainMs, wokenMsMax), steps: oneMore })
    .where("task_id", "in", (eb) =>
      eb
        .selectFrom("open_tasks")
        .select("task_id")
        .where("submit_started_at", "is", null)
        .where("next_step_at", "<=", sql<Date>`now()`)
        .orderBy("next_step_at")
        .limit(rowsMax)
        .forUpdate()
        .skipLocked(),
    )
    .returning([
      "task_id as taskId",
      "traceparent",
      sql<TaskKind>`(select kind from tasks where tasks.id = open_tasks.task_id)`.as("kind"),
    ])
    .execute();
}

/** The video is stored and being upscaled: the vendor is not polled any more. */
export async function handToUpscaler(db: Db, taskId: TaskId, vendorAccount: string): Promise<void> {
  await db
    .updateTable("open_tasks")
    .set({ vendor_account: vendorAccount, next_step_at: inMs(waitingMsMax), steps: 0 })
    .where("task_id", "=", taskId)
    .where("result_url", "is not", null)
    .execute();
}

/** Whether a submitted task is due: one read, so that an account with nothing to poll costs no write. */
export async function hasDuePolls(pool: Connections, vendorAccount: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "has due polls",
    text: `select from open_tasks
      where vendor_account = $1 and submit_started_at is not null and next_step_at <= now()
      limit 1`,
    values: [vendorAccount],
  });
  return rowCount === 1;
}

/** Submitted tasks that are due for a poll; taking one postpones its next step. */
export async function takeDuePolls(db: Db, vendorAccount: string, pollMs: number, rowsMax: number) {
  return db
    .updateTable("open_tasks")
    .set({ next_step_at: nextStep(pollMs, wokenMsMax) })
    .where("task_id", "in", (eb) =>
      eb
        .selectFrom("open_tasks")
        .select("task_id")
        .where("vendor_account", "=", vendorAccount)
        .where("submit_started_at", "is not", null)
        .where("next_step_at", "<=", sql<Date>`now()`)
        .where(isNotStuck(pollLoopOf(vendorAccount), sql.ref("open_tasks.task_id")))
        .orderBy("next_step_at")
        .limit(rowsMax)
        .forUpdate()
        .skipLocked(),
    )
    .returning([
      "task_id as taskId",
      "account_id as accountId",
      "vendor_job_id as vendorJobId",
      "traceparent",
    ])
    .execute();
}

export async function listExpired(db: Db, rowsMax: number) {
  return db
    .selectFrom("open_tasks")
    .select([
      "task_id as taskId",
      "account_id as accountId",
      "vendor_account as vendorAccount",
      "vendor_job_id as vendorJobId",
      "failure_code as failureCode",
      "traceparent",
    ])
    .where("deadline_at", "<=", sql<Date>`now()`)
    .where(isNotStuck(expireLoop, sql.ref("open_tasks.task_id")))
    .orderBy("deadline_at")
    .limit(rowsMax)
    .execute();
}

export async function isOpen(db: Db, taskId: TaskId): Promise<boolean> {
  const row = await db
    .selectFrom("open_tasks")
    .select("task_id")
    .where("task_id", "=", taskId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Claims the one poll per interval of a vendor account, over all processes; returns whether this
 * process makes it.
 */
export async function claimPoll(
  db: Db,
  vendorAccount: string,
  intervalMs: number,
): Promise<boolean> {
  const taken = await db
    .insertInto("vendor_pace")
    .values({ vendor_account: vendorAccount, next_call_at: inMs(intervalMs) })
    .onConflict((conflict) =>
      conflict
        .column("vendor_account")
        .doUpdateSet({ next_call_at: inMs(intervalMs) })
        .where("vendor_pace.next_call_at", "<=", sql<Date>`now()`),
    )
    .returning("vendor_account")
    .executeTakeFirst();
  return taken !== undefined;
}

/** The open tasks of each account, oldest first, so many of each. */
export async function listOpenTaskIds(
  db: Db,
  accountIds: readonly AccountId[],
  rowsMax: number,
): Promise<Map<AccountId, TaskId[]>> {
  const { rows } = await sql<{ accountId: AccountId; taskIds: TaskId[] }>`
    select a.id as "accountId", array(
      select task_id from open_tasks where account_id = a.id order by task_id limit ${rowsMax}
    ) as "taskIds"
    from unnest(${accountIds}::uuid[]) as a (id)`.execute(db);
  return new Map(rows.map(({ accountId, taskIds }) => [accountId, taskIds]));
}
