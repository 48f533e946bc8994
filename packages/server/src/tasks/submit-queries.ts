import { sql } from "kysely";
import { bindsOf, type VendorJobOf } from "../batches/bind-jobs.ts";
import { type Claim, type Claimed, claimRow, claimsOf } from "../batches/claim-submits.ts";
import type { Connections } from "../db/connections.ts";
import { callFunctionIn, type Db, isUniqueViolation, type Tx } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";
import type { StoredMedia, SubmitOutcome, Used } from "../db/tables/tasks.ts";
import type { FailureCode } from "../errors.ts";
import type { AccountId, TaskId } from "../ids.ts";

/**
 * The SQL of submitting tasks to vendors, and of submissions, its record. Those who claim or bind at the
 * same moment share a transaction.
 * The first outcome of a submit stays: a row that has a job, an output or a failure is not given back.
 */

/**
 * Takes the right to submit a task and records the intent. At most one caller ever gets it, however
 * many run this at once; it comes back only through `returnSubmit`, when the vendor is proven not to
 * have accepted. If the winner dies, the row is left as *unknown* and reconciled after `graceMs`.
 * `isAtWork`: the call itself is the work, so the task is PROCESSING from here on. Nobody gets it from a
 * database that is older than what its caller knows of: see `fence.ts`.
 */
export async function claimSubmit(
  pool: Connections,
  claim: Claim,
): Promise<{ startedAt: Date } | undefined> {
  return readClaim(await claimsOf(pool)(claim));
}

/** Claims a submit inside a transaction. */
export async function claimSubmitIn(
  tx: Tx,
  claim: Claim,
): Promise<{ startedAt: Date } | undefined> {
  const rows = `[${claimRow(claim)}]`;
  return readClaim(await callFunctionIn(tx, "claim_submits", { rows, wait: "long" }));
}

function readClaim({ started_at: startedAt }: Claimed): { startedAt: Date } | undefined {
  return startedAt === null ? undefined : { startedAt };
}

/** Sets what a submit has used and what that costs, from a parameter with `Used` as JSON. */
const setUsed = (used: string) => `
  usage = nullif(${used}::jsonb -> 'usage', 'null'),
  cost_units = ${used}::jsonb -> 'cost' -> 'units',
  cost_micros = (${used}::jsonb -> 'cost' ->> 'micros')::bigint,
  cost_currency = ${used}::jsonb -> 'cost' ->> 'currency',
  cost_version = (${used}::jsonb -> 'cost' ->> 'version')::integer,
  cost_source = ${used}::jsonb -> 'cost' ->> 'source'`;

/**
 * The task may be submitted again after a delay: the vendor has proven not to have accepted, and nothing is charged.
 * Or it has refused after it was at work, which is what `used` is for.
 */
export async function returnSubmit(
  pool: Connections,
  submit: {
    taskId: TaskId;
    startedAt: Date;
    againMs: number;
    outcome: SubmitOutcome;
    detail: string;
    used?: Used | null | undefined;
  },
): Promise<void> {
  const used = submit.used ? JSON.stringify(submit.used) : null;
  await pool.query({
    name: "return submit",
    text: `
      with noted as (
        update submissions set outcome = $4, detail = $5, ended_at = now(), ${setUsed("$6")}
        where task_id = $1 and started_at = $2
      )
      update open_tasks set
        submit_started_at = null, next_step_at = now() + $3::float8 * interval '1 millisecond'
      where task_id = $1 and submit_started_at = $2
        and vendor_job_id is null and delivered is null and failure_code is null`,
    values: [submit.taskId, submit.startedAt, submit.againMs, submit.outcome, submit.detail, used],
  });
}

/** Heartbeat of a submit: it is not given up before the grace period has passed again. */
export async function keepSubmit(
  db: Db,
  { taskId, startedAt, graceMs }: { taskId: TaskId; startedAt: Date; graceMs: number },
): Promise<void> {
  await db
    .updateTable("open_tasks")
    .set({ next_step_at: inMs(graceMs), steps: 0 })
    .where("task_id", "=", taskId)
    .where("submit_started_at", "=", startedAt)
    .where("delivered", "is", null)
    .where("failure_code", "is", null)
    .execute();
}

/** The vendor's response contained the output, which is stored: the next poll completes the task. */
export async function saveDelivered(
  pool: Connections,
  submit: {
    taskId: TaskId;
    startedAt: Date;
    media: StoredMedia;
    pollMs: number;
    used?: Used | null | undefined;
  },
): Promise<void> {
  const media = JSON.stringify(submit.media);
  const used = submit.used ? JSON.stringify(submit.used) : null;
  await pool.query({
    name: "save delivered",
    text: `
      with noted as (
        update submissions set outcome = 'delivered', ended_at = now(), ${setUsed("$5")}
        where task_id = $1 and started_at = $2
      )
      update open_tasks set
        delivered = $3, next_step_at = now() + $4::float8 * interval '1 millisecond'
      where task_id = $1 and submit_started_at = $2 and failure_code is null`,
    values: [submit.taskId, submit.startedAt, media, submit.pollMs, used],
  });
}

/** Records what a submit has used whose output cannot be used, and what that costs. */
export async function saveUsed(
  pool: Connections,
  { taskId, startedAt, used }: { taskId: TaskId; startedAt: Date; used: Used },
): Promise<void> {
  await pool.query({
    name: "save used",
    text: `update submissions set ${setUsed("$3")} where task_id = $1 and started_at = $2`,
    values: [taskId, startedAt, JSON.stringify(used)],
  });
}

/** By what the present submits of open tasks are charged. */
export async function listCharges(db: Db, taskIds: readonly TaskId[]) {
  return db
    .selectFrom("open_tasks")
    .innerJoin("submissions", (on) =>
      on
        .onRef("submissions.task_id", "=", "open_tasks.task_id")
        .onRef("submissions.started_at", "=", "open_tasks.submit_started_at"),
    )
    .select([
      "submissions.task_id as taskId",
      "submissions.started_at as startedAt",
      "submissions.vendor_account as vendorAccount",
      "vendor_model as model",
      "cost_facts as facts",
    ])
    .where("open_tasks.task_id", "in", taskIds)
    .execute();
}

/** A submit that is known to have failed: the next poll fails the task. */
export async function failSubmit(
  db: Db,
  { taskId, startedAt, code }: { taskId: TaskId; startedAt: Date; code: FailureCode },
): Promise<void> {
  await db
    .updateTable("open_tasks")
    .set({ failure_code: code })
    .where("task_id", "=", taskId)
    .where("submit_started_at", "=", startedAt)
    .where("delivered", "is", null)
    .where("failure_code", "is", null)
    .execute();
}

export async function recordSubmission(
  db: Db,
  submit: {
    taskId: TaskId;
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
      ended_at: sql<Date>`now()`,
      // A callback may have delivered the id before the call ended without one.
      vendor_job_id: submit.vendorJobId,
    })
    .where("task_id", "=", submit.taskId)
    .where("started_at", "=", submit.startedAt)
    .execute();
}

/**
 * Connects a submitted task with the vendor's job; the first id stays. From here on the task is
 * PROCESSING. Says whether the task now has this job: a job that is another task's is not taken.
 * `submittedAt` binds only if that submit is still the task's.
 */
export async function bindJob(pool: Connections, job: VendorJobOf): Promise<boolean> {
  try {
    return (await bindsOf(pool)(job)).is_bound;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

interface Moment {
  vendorAccount: string;
  at: Date;
  windowMs: number;
  /** Older tasks cannot have been submitted then. */
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
    .where("submissions.task_id", ">=", sql<TaskId>`id_floor(${createdFrom})`)
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
  around: Moment &
    ({ by: "account"; accountId: AccountId } | { by: "prompt"; prompt: string | null }),
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
      around.by === "account"
        ? row("tasks.account_id", "=", around.accountId)
        : sql<boolean>`tasks.request ->> 'prompt' is not distinct from ${around.prompt}`,
    )
    .execute();
}

/** All submits of a task, for operators. */
export async function listSubmitsOf(db: Db, taskId: TaskId) {
  return db
    .selectFrom("submissions")
    .select([
      "started_at as startedAt",
      "vendor_account as vendorAccount",
      "outcome",
      "vendor_job_id as vendorJobId",
      "detail",
      "vendor_model as vendorModel",
      "usage",
      "cost_units as costUnits",
      "cost_micros as costMicros",
      "cost_currency as costCurrency",
      "cost_version as costVersion",
      "cost_source as costSource",
    ])
    .where("task_id", "=", taskId)
    .orderBy("started_at")
    .execute();
}
