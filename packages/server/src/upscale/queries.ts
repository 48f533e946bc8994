import { sql } from "kysely";
import type { Pool } from "pg";
import { raiseHold } from "../credits/ledger.ts";
import { type Db, inTransaction } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";
import type { SegmentPlan, VideoPlan } from "../db/schema.ts";
import { isNotStuck } from "../db/stuck-rows.ts";
import type { TaskKind } from "../engine/waker.ts";
import type { FailureCode } from "../errors.ts";
import { workSegmentsLoop } from "../tasks/stuck-tasks.ts";
import type { VisibleTask } from "../tasks/task-row.ts";

/** The SQL on upscales, their segments and the accounts' turns. Times are the database's. */

export interface UpscaleRow {
  accountId: string;
  sourceKey: string;
  ownsSource: boolean;
  video: VideoPlan;
}

/** `known`: it was written down before. `unaffordable`: the price cannot be held, or the task is over. */
export type Writing = "written" | "known" | "unaffordable";

/**
 * Writes down the work, all of it at once, and holds its price with it: what is charged is the price of
 * the source that was written down, however often it was fetched. Without `credits` the hold stays.
 */
export async function insertUpscale(
  db: Db,
  upscale: Omit<UpscaleRow, "accountId"> & {
    taskId: string;
    segments: readonly SegmentPlan[];
    credits: number | null;
  },
): Promise<Writing> {
  const { taskId, credits } = upscale;
  return inTransaction(db, async (tx) => {
    // One at a time, in the order of locks of finish_task.
    await tx
      .selectFrom("open_tasks")
      .select("task_id")
      .where("task_id", "=", taskId)
      .forUpdate()
      .execute();
    if ((await findUpscale(tx, taskId)) !== undefined) return "known";
    if (credits !== null && !(await raiseHold(tx, { taskId, credits }))) return "unaffordable";
    await tx
      .insertInto("upscales")
      .values((select) => ({
        task_id: upscale.taskId,
        account_id: select
          .selectFrom("tasks")
          .select("account_id")
          .where("id", "=", upscale.taskId),
        source_key: upscale.sourceKey,
        owns_source: upscale.ownsSource,
        plan: JSON.stringify(upscale.video),
      }))
      .execute();
    await tx
      .insertInto("upscale_segments")
      .values(
        upscale.segments.map((segment, number) => ({
          task_id: upscale.taskId,
          number,
          plan: JSON.stringify(segment),
          frames: segment.frames,
        })),
      )
      .execute();
    return "written";
  });
}

export async function findUpscale(db: Db, taskId: string): Promise<UpscaleRow | undefined> {
  const row = await db
    .selectFrom("upscales")
    .select([
      "account_id as accountId",
      "source_key as sourceKey",
      "owns_source as ownsSource",
      "plan as video",
    ])
    .where("task_id", "=", taskId)
    .executeTakeFirst();
  return row;
}

export async function listSegments(db: Db, taskId: string) {
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

export interface TakenSegment {
  taskId: string;
  number: number;
  kind: TaskKind;
  segment: SegmentPlan;
  video: VideoPlan;
  sourceKey: string;
  vendorJobId: string | null;
  askedMsAgo: number | null;
  tries: number;
}

/**
 * Takes a segment that nobody is at work on, of the account that was served longest ago: accounts take
 * turns, and the videos of one are done in the order in which they came. It is free again after the lease.
 */
export async function leaseSegment(
  db: Db,
  worker: string,
  leaseMs: number,
  onlyTaskId: string | null = null,
): Promise<TakenSegment | undefined> {
  const { rows } = await sql<TakenSegment>`
    with chosen as (
      select video.account_id, video.task_id, segment.number from (
        select account_id, task_id from upscales left join upscale_turns using (account_id)
        where ${isNotStuck(workSegmentsLoop, sql.ref("upscales.task_id"))}
          and task_id = coalesce(${onlyTaskId}::uuid, task_id)
        order by coalesce(served_at, '-infinity'), task_id
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
        leased_by = ${worker}, tries = tries + 1,
        free_at = ${inMs(leaseMs)}
      where (task_id, number) in (select task_id, number from chosen)
      returning task_id, number, plan, vendor_job_id, submit_started_at, tries
    )
    select taken.task_id as "taskId", taken.number, tasks.kind, taken.plan as segment,
           upscales.plan as video, source_key as "sourceKey", vendor_job_id as "vendorJobId",
           (extract(epoch from now() - submit_started_at) * 1000)::float8 as "askedMsAgo", tries
    from taken
    join upscales on upscales.task_id = taken.task_id
    join tasks on tasks.id = taken.task_id`.execute(db);
  return rows[0];
}

/** Upscales with a segment that nobody is at work on, in the order in which they are served. */
export async function listWaitingUpscales(db: Db, rowsMax: number) {
  const { rows } = await sql<{ taskId: string; accountId: string }>`
    select task_id as "taskId", account_id as "accountId"
    from upscales left join upscale_turns using (account_id)
    where ${isNotStuck(workSegmentsLoop, sql.ref("upscales.task_id"))} and exists (
      select from upscale_segments
      where upscale_segments.task_id = upscales.task_id and object_key is null and failure is null
        and free_at <= now())
    order by coalesce(served_at, '-infinity'), task_id limit ${rowsMax}`.execute(db);
  return rows;
}

type Held = { taskId: string; number: number; worker: string };

function heldSegment(db: Db, { taskId, number, worker }: Held) {
  return db
    .updateTable("upscale_segments")
    .where("task_id", "=", taskId)
    .where("number", "=", number)
    .where("leased_by", "=", worker)
    .where("object_key", "is", null);
}

/** Says that the worker is alive and how far it is. False: the segment is no longer its own. */
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

/** Done: from here on nobody does it again. False: it was done by another, or the task is over. */
export async function saveSegment(
  db: Db,
  held: Held,
  object: { key: string; sizeBytes: number },
): Promise<boolean> {
  const result = await heldSegment(db, held)
    .set({ object_key: object.key, size_bytes: object.sizeBytes, frames_done: sql`frames` })
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Gives a segment back: to be begun or looked at again after a while. `isUntried`: it was not its fault. */
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
    .set({ failure: reason, failure_code: code, leased_by: null })
    .execute();
}

/** The intent to ask a vendor, before it is asked. False: it was asked already. */
export async function claimAsk(db: Db, held: Held): Promise<boolean> {
  const result = await heldSegment(db, held)
    .set({ submit_started_at: sql<Date>`now()` })
    .where("submit_started_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * What became of asking: the vendor's job, or null when it is proven not to have one. False: the segment
 * is no longer this worker's, or the task is over.
 */
export async function noteAsk(db: Db, held: Held, vendorJobId: string | null): Promise<boolean> {
  const result = await heldSegment(db, held)
    .set(vendorJobId === null ? { submit_started_at: null } : { vendor_job_id: vendorJobId })
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** How many segments are neither done nor given up. */
export async function countOpenSegments(db: Db, taskId: string): Promise<number> {
  const row = await db
    .selectFrom("upscale_segments")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("task_id", "=", taskId)
    .where("object_key", "is", null)
    .where("failure", "is", null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** From 0 to 1: the share of the frames that are done. */
export async function shareDone(db: Db, taskId: string): Promise<number> {
  const { rows } = await sql<{ share: number | null }>`
    select (sum(frames_done)::float8 / sum(frames)) as share from upscale_segments
    where task_id = ${taskId}`.execute(db);
  return rows[0]?.share ?? 0;
}

/**
 * Tasks of either kind, and the share done of the upscales at work among them. Without the prompts,
 * which can be long, and looked up one by one: a list of ids would search every partition.
 */
export async function listVisibleTasks(
  pool: Pool,
  taskIds: string[],
): Promise<(VisibleTask & { shareDone: number | null })[]> {
  const { rows } = await pool.query<VisibleTask & { shareDone: number | null }>({
    name: "list visible tasks",
    text: `
      select visible.id, visible.account_id, visible.kind, visible.model, visible.request, visible.status,
             visible.credits, visible.output, visible.error_code, visible.error_message,
             visible.created_at, visible.completed_at, case when kind = 'upscale' and status = 'PROCESSING' then (
        select sum(frames_done)::float8 / sum(frames) from upscale_segments where task_id = visible.id
      ) end as "shareDone"
      from unnest($1::uuid[]) as wanted (id)
      cross join lateral (
        select id, account_id, kind, model, case when kind = 'upscale' or request ? 'promptCut' then request else request - 'prompt' end as request,
               status, credits, output, error_code, error_message, created_at, completed_at
        from tasks where id = wanted.id limit 1
      ) as visible`,
    values: [taskIds],
  });
  return rows;
}

/** Forgets the work of a task; answers what was only there for it: objects, and jobs that go on. */
export async function deleteUpscale(
  db: Db,
  taskId: string,
): Promise<{ objectKeys: string[]; vendorJobIds: string[] }> {
  return inTransaction(db, async (tx) => {
    const segments = await tx
      .deleteFrom("upscale_segments")
      .where("task_id", "=", taskId)
      .returning(["object_key", "vendor_job_id"])
      .execute();
    const upscales = await tx
      .deleteFrom("upscales")
      .where("task_id", "=", taskId)
      .returning(["source_key", "owns_source"])
      .execute();
    return {
      objectKeys: [
        ...segments.flatMap(({ object_key }) => object_key ?? []),
        ...upscales.flatMap(({ source_key, owns_source }) => (owns_source ? [source_key] : [])),
      ],
      vendorJobIds: segments.flatMap(({ object_key, vendor_job_id }) =>
        object_key === null && vendor_job_id !== null ? [vendor_job_id] : [],
      ),
    };
  });
}

export const sweepUpscalesLoop = "sweep upscales";

/** Upscales whose task is over: its worker died before it could forget them, or it ran out of time. */
export async function listOrphans(db: Db, rowsMax: number): Promise<string[]> {
  const rows = await db
    .selectFrom("upscales")
    .leftJoin("open_tasks", "open_tasks.task_id", "upscales.task_id")
    .select("upscales.task_id as taskId")
    .where("open_tasks.task_id", "is", null)
    .where(isNotStuck(sweepUpscalesLoop, sql.ref("upscales.task_id")))
    .limit(rowsMax)
    .execute();
  return rows.map(({ taskId }) => taskId);
}
