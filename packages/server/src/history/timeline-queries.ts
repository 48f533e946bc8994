import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { StoredMedia, SubmitOutcome, TaskMoments } from "../db/tables/tasks.ts";
import type { AccountId, DeliveryId, TaskId } from "../ids.ts";

/** The SQL of timelines. Times are milliseconds since 1970. */

const submitsMax = 200;
const attemptsMax = 200;

export interface TimelineTask {
  id: TaskId;
  accountId: AccountId;
  kind: "generation" | "upscale";
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  errorCode: string | null;
  output: StoredMedia[] | null;
  createdAt: number;
  completedAt: number | null;
  /** The moments of an ended task. */
  moments: TaskMoments | null;
  /** The moments of an open task. */
  openMoments: TaskMoments | null;
  submits: TimelineSubmit[];
}

export interface TimelineSubmit {
  startedAt: number;
  endedAt: number | null;
  acceptedAt: number | null;
  outcome: SubmitOutcome | null;
  vendorAccount: string;
  vendorJobId: string | null;
  detail: string | null;
}

export interface TimelineAttempt {
  deliveryId: DeliveryId;
  url: string;
  /** Null: no attempt was made yet. */
  number: number | null;
  startedAt: number | null;
  durationMs: number | null;
  status: number | null;
  reason: string | null;
  queuedAt: number;
  /** Whether more attempts will be made. */
  isOpen: boolean;
}

const inMs = (column: string) => sql.raw(`floor(extract(epoch from ${column}) * 1000)::float8`);

/** A task with its submits, in one round trip. */
export async function findTimelineTask(db: Db, taskId: TaskId): Promise<TimelineTask | undefined> {
  const { rows } = await sql<TimelineTask>`
    select t.id, t.account_id as "accountId", t.kind, t.status, t.error_code as "errorCode", t.output,
           ${inMs("t.created_at")} as "createdAt", ${inMs("t.completed_at")} as "completedAt", t.moments,
           (select task_moments(o) from open_tasks o where o.task_id = t.id) as "openMoments",
           coalesce((select jsonb_agg(s) from (
             select ${inMs("s.started_at")} as "startedAt", ${inMs("s.ended_at")} as "endedAt",
                    ${inMs("s.accepted_at")} as "acceptedAt", s.outcome, s.vendor_account as "vendorAccount",
                    s.vendor_job_id as "vendorJobId", s.detail
             from submissions s where s.task_id = ${taskId}::uuid
             order by s.started_at limit ${sql.lit(submitsMax)}) as s), '[]') as submits
    from tasks t where t.id = ${taskId}::uuid`.execute(db);
  return rows[0];
}

/**
 * The deliveries of a task with their attempts, the oldest first. Materialized: a task has few
 * deliveries, and their order must not choose another index.
 */
export async function listTimelineAttempts(db: Db, taskId: TaskId): Promise<TimelineAttempt[]> {
  const { rows } = await sql<TimelineAttempt>`
    with of_task as materialized (
      select id, created_at, url from deliveries where task_id = ${taskId}::uuid
    )
    select d.id as "deliveryId", d.url, a.number, ${inMs("a.started_at")} as "startedAt",
           a.duration_ms as "durationMs", a.status, a.reason, ${inMs("d.created_at")} as "queuedAt",
           exists (select from open_deliveries o where o.delivery_id = d.id) as "isOpen"
    from of_task as d
    left join lateral (
      select number, started_at, duration_ms, status, reason from attempts
      where delivery_id = d.id order by number limit ${sql.lit(attemptsMax)}
    ) as a on true
    order by d.id, a.number limit ${sql.lit(attemptsMax)}`.execute(db);
  return rows;
}
