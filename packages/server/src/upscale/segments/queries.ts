import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { inMs } from "../../db/in-ms.ts";
import { onlyRow } from "../../db/only-row.ts";
import { isNotStuck } from "../../db/stuck-rows.ts";
import type { SegmentPlan, VideoPlan } from "../../db/tables/upscale.ts";
import type { TaskKind } from "../../engine/waker.ts";
import type { FailureCode } from "../../errors.ts";
import type { AccountId, TaskId } from "../../ids.ts";
import { workSegmentsLoop } from "../../tasks/stuck-tasks.ts";

/** The SQL on the segments of upscales and the accounts' turns. Times are the database's. */

export async function listSegments(db: Db, taskId: TaskId) {
  return db
    .selectFrom("upscale_segments")
    .select([
      "number",
      "plan",
      "frames",
      "frames_done as framesDone",
      "vendor_job_id as vendorJobId",
      "object_key as objectKey",
      "size_bytes as sizeBytes",
      "failure",
      "failure_code as failureCode",
    ])
    .where("task_id", "=", taskId)
    .orderBy("number")
    .execute();
}

export interface LeasedSegment {
  taskId: TaskId;
  accountId: AccountId;
  number: number;
  kind: TaskKind;
  segment: SegmentPlan;
  video: VideoPlan;
  sourceKey: string;
  vendorJobId: string | null;
  submittedMsAgo: number | null;
  tries: number;
  traceparent: string | null;
}

/** Test segments come after all others: nobody who pays waits for one that is free. */
const isTestVideo = sql<boolean>`(upscales.plan ? 'isTest')`;

/**
 * Leases a free segment of the account that was served longest ago: accounts are served round-robin,
 * and the videos of one account in order of arrival. A test segment is leased only if no other is free.
 * The segment is free again when the lease expires.
 */
export async function leaseSegment(
  db: Db,
  worker: string,
  leaseMs: number,
  onlyTaskId: TaskId | null = null,
): Promise<LeasedSegment | undefined> {
  const { rows } = await sql<LeasedSegment>`
    with chosen as (
      select video.account_id, video.task_id, segment.number from (
        select account_id, task_id from upscales left join upscale_turns using (account_id)
        where ${isNotStuck(workSegmentsLoop, sql.ref("upscales.task_id"))}
          and task_id = coalesce(${onlyTaskId}::uuid, task_id)
        order by ${isTestVideo}, coalesce(served_at, '-infinity'), task_id
      ) as video
      cross join lateral (
        select number from upscale_segments
        where task_id = video.task_id and object_key is null and failure is null and free_at <= now()
        order by number limit 1 for update skip locked
      ) as segment
      limit 1
    ), served as (
      insert into upscale_turns (account_id, served_at) select account_id, clock_timestamp() from chosen
      on conflict (account_id) do update set served_at = excluded.served_at
    ), taken as (
      update upscale_segments set
        leased_by = ${worker}, tries = tries + 1, started_at = coalesce(started_at, now()),
        free_at = ${inMs(leaseMs)}
      where (task_id, number) in (select task_id, number from chosen)
      returning task_id, number, plan, vendor_job_id, submit_started_at, tries
    )
    select taken.task_id as "taskId", upscales.account_id as "accountId", taken.number, tasks.kind, taken.plan as segment,
           upscales.plan as video, source_key as "sourceKey", vendor_job_id as "vendorJobId",
           (extract(epoch from now() - submit_started_at) * 1000)::float8 as "submittedMsAgo", tries,
           (select traceparent from open_tasks where task_id = taken.task_id)
    from taken
    join upscales on upscales.task_id = taken.task_id
    join tasks on tasks.id = taken.task_id`.execute(db);
  return rows[0];
}

/** Upscales with a free segment, in the order in which they are served. */
export async function listWaitingUpscales(db: Db, rowsMax: number) {
  const { rows } = await sql<{ taskId: TaskId; accountId: AccountId }>`
    select task_id as "taskId", account_id as "accountId"
    from upscales left join upscale_turns using (account_id)
    where ${isNotStuck(workSegmentsLoop, sql.ref("upscales.task_id"))} and exists (
      select from upscale_segments
      where upscale_segments.task_id = upscales.task_id and object_key is null and failure is null
        and free_at <= now())
    order by ${isTestVideo}, coalesce(served_at, '-infinity'), task_id limit ${rowsMax}`.execute(
    db,
  );
  return rows;
}

/** Whether a segment of a live account is free: then test segments give way. */
export async function isLiveWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isWaiting: boolean }>`
    select exists (
      select from upscales join upscale_segments using (task_id)
      where not ${isTestVideo} and ${isNotStuck(workSegmentsLoop, sql.ref("upscales.task_id"))}
        and object_key is null and failure is null and free_at <= now()
    ) as "isWaiting"`.execute(db);
  return onlyRow(rows).isWaiting;
}

type Held = { taskId: TaskId; number: number; worker: string };

function heldSegment(db: Db, { taskId, number, worker }: Held) {
  return db
    .updateTable("upscale_segments")
    .where("task_id", "=", taskId)
    .where("number", "=", number)
    .where("leased_by", "=", worker)
    .where("object_key", "is", null);
}

/** Heartbeat with progress. False: the lease is lost. */
export async function keepSegment(
  db: Db,
  held: Held,
  framesDone: number,
  leaseMs: number,
): Promise<boolean> {
  const result = await heldSegment(db, held)
    .set({
      frames_done: sql`greatest(frames_done, least(frames, ${framesDone}::integer))`,
      free_at: inMs(leaseMs),
    })
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Records a finished segment. False: another worker was first, or the task has ended. */
export async function saveSegment(
  db: Db,
  held: Held,
  object: { key: string; sizeBytes: number },
): Promise<boolean> {
  const result = await heldSegment(db, held)
    .set({
      object_key: object.key,
      size_bytes: object.sizeBytes,
      frames_done: sql`frames`,
      ended_at: sql<Date>`now()`,
    })
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Returns a segment, to be started or polled again after a delay. `isUntried`: does not count as an
 * attempt.
 */
export async function returnSegment(
  db: Db,
  held: Held,
  { againMs, framesDone, isUntried }: { againMs: number; framesDone: number; isUntried: boolean },
): Promise<void> {
  await heldSegment(db, held)
    .set({
      leased_by: null,
      free_at: inMs(againMs),
      frames_done: sql`greatest(frames_done, least(frames, ${framesDone}::integer))`,
      tries: sql`tries - ${isUntried ? 1 : 0}`,
    })
    .execute();
}

export async function failSegment(
  db: Db,
  held: Held,
  { code, reason }: { code: FailureCode; reason: string },
): Promise<void> {
  await heldSegment(db, held)
    .set({ failure: reason, failure_code: code, leased_by: null, ended_at: sql<Date>`now()` })
    .execute();
}

/**
 * Records the intent before a vendor is called. False: it was called already, the account is about to move,
 * or the database is behind the position that the caller knows.
 */
export async function claimSubmit(db: Db, held: Held, known: number): Promise<boolean> {
  const result = await heldSegment(db, held)
    .set({ submit_started_at: sql<Date>`now()` })
    .where("submit_started_at", "is", null)
    .where(
      sql<boolean>`not exists (select from upscales u join accounts a on a.id = u.account_id
        where u.task_id = ${held.taskId} and a.moving_at is not null)`,
    )
    .where(
      sql<boolean>`exists (select from fence where behind_since is null and position >= ${known})`,
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Records the outcome of the call: the vendor's job, or null when it is proven not to have one. Returns
 * false if the segment is no longer this worker's, or the task is over.
 */
export async function recordSubmit(
  db: Db,
  held: Held,
  vendorJobId: string | null,
): Promise<boolean> {
  const result = await heldSegment(db, held)
    .set(vendorJobId === null ? { submit_started_at: null } : { vendor_job_id: vendorJobId })
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The number of segments that are neither done nor failed. */
export async function countOpenSegments(db: Db, taskId: TaskId): Promise<number> {
  const row = await db
    .selectFrom("upscale_segments")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("task_id", "=", taskId)
    .where("object_key", "is", null)
    .where("failure", "is", null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
