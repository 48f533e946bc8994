import { type RawBuilder, sql } from "kysely";
import type { Pool } from "pg";
import { type Db, isUniqueViolation } from "../db/database.ts";
import type { PinnedInput, SubmitOutcome } from "../db/schema.ts";
import type { ModelRequest } from "../models/request.ts";
import type { TaskRow } from "./task-row.ts";
import type { TaskKind } from "./waker.ts";

/**
 * The SQL on tasks, open_tasks and submissions, but for accepting and finishing, which are functions
 * of the database. Times are the database's: hosts' clocks may differ.
 */

function inMs(ms: number): RawBuilder<Date> {
  return sql<Date>`now() + ${ms}::double precision * interval '1 millisecond'`;
}

/** How far apart steps get: while a vendor works, and while a wake-up that was sent has no effect. */
const waitingMsMax = 60_000;
const wokenMsMax = 15_000;

/** Grows with every step taken, with jitter so that tasks do not march in step. */
function nextStep(firstMs: number, msMax: number): RawBuilder<Date> {
  return sql<Date>`now() + least(${msMax}::double precision, ${firstMs}::double precision * power(1.5, least(steps, 20)))
    * (0.8 + 0.4 * random()) * interval '1 millisecond'`;
}

export async function findTask(db: Db, taskId: string): Promise<TaskRow | undefined> {
  return db.selectFrom("tasks").selectAll().where("id", "=", taskId).executeTakeFirst();
}

/** A task, and what time it is where times are made. */
export async function findTaskNow(
  db: Db,
  taskId: string,
): Promise<{ task: TaskRow; now: Date } | undefined> {
  const row = await db
    .selectFrom("tasks")
    .selectAll()
    .select(sql<Date>`now()`.as("now"))
    .where("id", "=", taskId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { now, ...task } = row;
  return { task, now };
}

export type OpenTask = NonNullable<Awaited<ReturnType<typeof findOpenTask>>>;

export async function findOpenTask(db: Db, taskId: string) {
  return db
    .selectFrom("open_tasks")
    .innerJoin("tasks", "tasks.id", "open_tasks.task_id")
    .innerJoin("accounts", "accounts.id", "open_tasks.account_id")
    .select([
      "task_id as taskId",
      "open_tasks.account_id as accountId",
      "vendor_account as vendorAccount",
      "submit_started_at as submitStartedAt",
      "vendor_job_id as vendorJobId",
      "result_url as resultUrl",
      "failure_code as failureCode",
      "deadline_at as deadlineAt",
      sql<ModelRequest>`request`.as("request"), // only ever written by accepting a task
      "inputs",
      sql<boolean>`test_of is not null`.as("isTest"),
      sql<number | null>`(extract(epoch from now() - submit_started_at) * 1000)::float8`.as(
        "submitAgeMs",
      ),
    ])
    .where("task_id", "=", taskId)
    .executeTakeFirst();
}

/** Pins the copies of a task's external files; the first ones stay. */
export async function saveInputs(db: Db, taskId: string, inputs: PinnedInput[]): Promise<boolean> {
  const result = await db
    .updateTable("tasks")
    .set({ inputs: JSON.stringify(inputs) })
    .where("id", "=", taskId)
    .where("inputs", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Takes the right to submit a task and records the intent. At most one caller ever gets it, however
 * many run this at once; it comes back only through `returnSubmit`, when the vendor is proven not to
 * have accepted. If the winner dies, the row is left as *unknown* and looked at after `graceMs`.
 * `isAtWork`: the call itself is the work, so the task is PROCESSING from here on.
 */
export async function claimSubmit(
  pool: Pool,
  claim: { taskId: string; vendorAccount: string; graceMs: number; isAtWork: boolean },
): Promise<{ startedAt: Date } | undefined> {
  const { rows } = await pool.query<{ startedAt: Date }>({
    name: "claim submit",
    text: `
      with claim as (
        update open_tasks set
          vendor_account = $3,
          submit_started_at = date_trunc('milliseconds', now()),
          next_step_at = now() + $2::float8 * interval '1 millisecond',
          steps = 0
        where task_id = $1 and submit_started_at is null
        returning task_id, submit_started_at, vendor_account
      ), moved as (
        update tasks set status = 'PROCESSING' from claim
        where $4 and tasks.id = claim.task_id and tasks.status = 'PENDING'
      )
      insert into submissions (task_id, started_at, vendor_account)
      select task_id, submit_started_at, vendor_account from claim
      returning started_at as "startedAt"`,
    values: [claim.taskId, claim.graceMs, claim.vendorAccount, claim.isAtWork],
  });
  return rows[0];
}

/** The vendor is proven not to have accepted: somebody may submit again, after a while. */
export async function returnSubmit(
  pool: Pool,
  submit: {
    taskId: string;
    startedAt: Date;
    againMs: number;
    outcome: SubmitOutcome;
    detail: string;
  },
): Promise<void> {
  await pool.query({
    name: "return submit",
    text: `
      with noted as (
        update submissions set outcome = $4, detail = $5 where task_id = $1 and started_at = $2
      )
      update open_tasks set
        submit_started_at = null, next_step_at = now() + $3::float8 * interval '1 millisecond'
      where task_id = $1 and submit_started_at = $2 and vendor_job_id is null`,
    values: [submit.taskId, submit.startedAt, submit.againMs, submit.outcome, submit.detail],
  });
}

/** Nobody takes the task at the moment. */
export async function postponeBegin(db: Db, taskId: string, againMs: number): Promise<void> {
  await db
    .updateTable("open_tasks")
    .set({ next_step_at: inMs(againMs) })
    .where("task_id", "=", taskId)
    .where("submit_started_at", "is", null)
    .execute();
}

export async function recordSubmission(
  db: Db,
  submit: {
    taskId: string;
    startedAt: Date;
    outcome: SubmitOutcome;
    vendorJobId?: string;
    detail?: string;
  },
): Promise<void> {
  await db
    .updateTable("submissions")
    .set({
      outcome: submit.outcome,
      detail: submit.detail ?? null,
      // A callback may have told the id before the call ended without one.
      ...(submit.vendorJobId === undefined ? {} : { vendor_job_id: submit.vendorJobId }),
    })
    .where("task_id", "=", submit.taskId)
    .where("started_at", "=", submit.startedAt)
    .execute();
}

/**
 * Connects a submitted task with the vendor's job, in one statement; the first id stays. From here on
 * the task is PROCESSING. Says whether the task now has this job: a job that is another task's is not
 * taken. `submittedAt` binds only if that submit is still the task's.
 */
export async function bindJob(
  pool: Pool,
  job: { taskId: string; jobId: string; lookMs: number; submittedAt?: Date; isAnswer?: boolean },
): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ isBound: boolean }>({
      name: "bind job",
      text: `
        with bound as (
          update open_tasks set vendor_job_id = $2, next_step_at = now() + $3::float8 * interval '1 millisecond'
          where task_id = $1 and submit_started_at is not null
            and (vendor_job_id is null or vendor_job_id = $2)
            and ($4::timestamptz is null or submit_started_at = $4)
          returning task_id, submit_started_at
        ), noted as ( -- stays when the task is over: the job is nobody else's
          update submissions s set
            vendor_job_id = coalesce(s.vendor_job_id, $2),
            outcome = case when $5 then 'accepted' else s.outcome end
          from bound where s.task_id = bound.task_id and s.started_at = bound.submit_started_at
        ), moved as (
          update tasks set status = 'PROCESSING' from bound
          where tasks.id = bound.task_id and tasks.status = 'PENDING'
        )
        select exists (select from bound) as "isBound"`,
      values: [job.taskId, job.jobId, job.lookMs, job.submittedAt ?? null, job.isAnswer ?? false],
    });
    return rows[0]?.isBound ?? false;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

interface Moment {
  vendorAccount: string;
  at: Date;
  windowMs: number;
  /** No older task was submitted then. */
  ageMaxMs: number;
}

/**
 * The submits to a vendor account around a moment, also those of tasks that are over. Time-ordered ids
 * keep this to the tasks that can have been submitted then.
 */
function submitsAround(db: Db, { vendorAccount, at, windowMs, ageMaxMs }: Moment) {
  const windowFrom = new Date(at.getTime() - windowMs);
  const createdFrom = new Date(windowFrom.getTime() - ageMaxMs);
  return db
    .selectFrom("submissions")
    .where("submissions.task_id", ">=", sql<string>`id_floor(${createdFrom})`)
    .where("submissions.vendor_account", "=", vendorAccount)
    .where("submissions.started_at", ">=", windowFrom)
    .where("submissions.started_at", "<=", new Date(at.getTime() + windowMs));
}

/** The jobs around a moment that belong to a task. */
export async function listTakenJobs(db: Db, moment: Moment): Promise<string[]> {
  const rows = await submitsAround(db, moment)
    .select("vendor_job_id as jobId")
    .where("vendor_job_id", "is not", null)
    .execute();
  return rows.flatMap(({ jobId }) => jobId ?? []);
}

/** The submits around a moment of one caller, or with one prompt. */
export async function listSubmits(
  db: Db,
  around: Moment & ({ accountId: string } | { prompt: string | null }),
) {
  return submitsAround(db, around)
    .innerJoin("tasks", "submissions.task_id", "tasks.id")
    .select([
      "submissions.task_id as taskId",
      "submissions.started_at as startedAt",
      "submissions.vendor_job_id as jobId",
      "submissions.outcome",
    ])
    .where((row) =>
      "accountId" in around
        ? row("tasks.account_id", "=", around.accountId)
        : sql<boolean>`tasks.request ->> 'prompt' is not distinct from ${around.prompt}`,
    )
    .execute();
}

/** Every submit of a task, for operators. */
export async function listSubmitsOf(db: Db, taskId: string) {
  return db
    .selectFrom("submissions")
    .select([
      "started_at as startedAt",
      "vendor_account as vendorAccount",
      "outcome",
      "vendor_job_id as vendorJobId",
      "detail",
    ])
    .where("task_id", "=", taskId)
    .orderBy("started_at")
    .execute();
}

/** The vendor is still at work: look again later, and later each time. */
export async function postponeLooks(db: Db, taskIds: string[], firstMs: number): Promise<void> {
  if (taskIds.length === 0) return;
  await db
    .updateTable("open_tasks")
    .set({ next_step_at: nextStep(firstMs, waitingMsMax), steps: sql`steps + 1` })
    .where("task_id", "in", taskIds)
    .execute();
}

/** How the jobs of tasks ended: where the result is, or why there is none, with the vendor's words. */
export async function saveEnds(
  pool: Pool,
  ends: {
    taskId: string;
    resultUrl: string | null;
    failureCode: string | null;
    detail: string | null;
  }[],
): Promise<void> {
  if (ends.length === 0) return;
  await pool.query({
    name: "save ends",
    text: `
      with ended as (
        update open_tasks o set result_url = e.result_url, failure_code = e.failure_code
        from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as e (task_id, result_url, failure_code, detail)
        where o.task_id = e.task_id and o.vendor_job_id is not null
        returning o.task_id, o.submit_started_at, e.detail
      )
      update submissions s set detail = ended.detail
      from ended where s.task_id = ended.task_id and s.started_at = ended.submit_started_at and ended.detail is not null`,
    values: [
      ends.map((end) => end.taskId),
      ends.map((end) => end.resultUrl),
      ends.map((end) => end.failureCode),
      ends.map((end) => end.detail),
    ],
  });
}

/** Unsubmitted tasks whose wake-up is overdue; taking one moves its next time on. */
export async function takeUnbegun(db: Db, beginAgainMs: number, rowsMax: number) {
  return db
    .updateTable("open_tasks")
    .set({ next_step_at: nextStep(beginAgainMs, wokenMsMax), steps: sql`steps + 1` })
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
      sql<TaskKind>`(select kind from tasks where tasks.id = open_tasks.task_id)`.as("kind"),
    ])
    .execute();
}

/** The film is here and is made larger: nothing more is asked of the vendor. */
export async function moveTo(db: Db, taskId: string, vendorAccount: string): Promise<void> {
  await db
    .updateTable("open_tasks")
    .set({ vendor_account: vendorAccount, next_step_at: inMs(waitingMsMax), steps: 0 })
    .where("task_id", "=", taskId)
    .execute();
}

/** Submitted tasks that are due for a look; taking one moves its next time on. */
export async function takeDueLooks(db: Db, vendorAccount: string, lookMs: number, rowsMax: number) {
  return db
    .updateTable("open_tasks")
    .set({ next_step_at: nextStep(lookMs, wokenMsMax) })
    .where("task_id", "in", (eb) =>
      eb
        .selectFrom("open_tasks")
        .select("task_id")
        .where("vendor_account", "=", vendorAccount)
        .where("submit_started_at", "is not", null)
        .where("next_step_at", "<=", sql<Date>`now()`)
        .orderBy("next_step_at")
        .limit(rowsMax)
        .forUpdate()
        .skipLocked(),
    )
    .returning(["task_id as taskId", "vendor_job_id as vendorJobId"])
    .execute();
}

export async function listExpired(db: Db, rowsMax: number) {
  return db
    .selectFrom("open_tasks")
    .select([
      "task_id as taskId",
      "vendor_account as vendorAccount",
      "vendor_job_id as vendorJobId",
    ])
    .where("deadline_at", "<=", sql<Date>`now()`)
    .orderBy("deadline_at")
    .limit(rowsMax)
    .execute();
}

/** One call per interval to a vendor account, over all processes: says whether it is ours to make. */
export async function takeTurn(
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
    .executeTakeFirst();
  return (taken.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function ensurePartitions(db: Db): Promise<void> {
  await sql`select create_partitions(now(), now() + interval '2 months')`.execute(db);
}
