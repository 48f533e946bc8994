import { sql } from "kysely";
import { takeDailyAllowance } from "../accounts/allowances.ts";
import { raiseHold } from "../credits/ledger.ts";
import type { Connections } from "../db/connections.ts";
import { type Db, inTransaction } from "../db/database.ts";
import { isNotStuck } from "../db/stuck-rows.ts";
import type { SegmentPlan, VideoPlan } from "../db/tables/upscale.ts";
import type { AccountId, TaskId } from "../ids.ts";
import type { Price } from "../models/prices.ts";
import type { VisibleTask } from "../tasks/task-row.ts";

/** The SQL on upscales. Times are the database's. */

export interface UpscaleRow {
  accountId: AccountId;
  sourceKey: string;
  ownsSource: boolean;
  video: VideoPlan;
}

/**
 * `known`: recorded before. `unaffordable`: the price cannot be held, or the task has ended. `exhausted`:
 * the test account has used its frames of the day.
 */
export type Writing = "written" | "known" | "unaffordable" | "exhausted";

/**
 * Records all segments in one transaction and holds the price with them: the recorded source is what
 * is charged, however often it was fetched. Without `price` the hold stays.
 */
export async function insertUpscale(
  db: Db,
  upscale: Omit<UpscaleRow, "accountId"> & {
    taskId: TaskId;
    segments: readonly SegmentPlan[];
    price: Pick<Price, "credits" | "lines"> | null;
    /** The limit of a test account; `null`: no limit. */
    testFramesPerDayMax: number | null;
  },
): Promise<Writing> {
  const { taskId, price, testFramesPerDayMax: perDayMax } = upscale;
  return inTransaction(db, async (tx) => {
    // One at a time, in the lock order of finish_task.
    const open = await tx
      .selectFrom("open_tasks")
      .select("account_id as accountId")
      .where("task_id", "=", taskId)
      .forUpdate()
      .executeTakeFirst();
    if (open === undefined) return "known"; // over, or moved to another shard with what is known there
    if ((await findUpscale(tx, taskId)) !== undefined) return "known";
    if (price !== null && !(await raiseHold(tx, { taskId, ...price }))) return "unaffordable";
    if (perDayMax !== null) {
      const wanted = upscale.segments.reduce((sum, { frames }) => sum + frames, 0);
      const kind = "test_upscale_frames";
      const allowance = { accountId: open.accountId, kind, perDayMax } as const;
      if (!(await takeDailyAllowance(tx, allowance, wanted)).isGranted) return "exhausted";
    }
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

export async function findUpscale(db: Db, taskId: TaskId): Promise<UpscaleRow | undefined> {
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

/**
 * Tasks of either kind with the progress of running upscales. Without prompts, which can be long, and
 * looked up one by one: a list of ids would search every partition.
 */
export async function listVisibleTasks(
  pool: Connections,
  taskIds: TaskId[],
): Promise<(VisibleTask & { shareDone: number | null })[]> {
  const { rows } = await pool.query<VisibleTask & { shareDone: number | null }>({
    name: "list visible tasks",
    text: `
      select visible.id, visible.account_id, visible.key_id, visible.kind, visible.model, visible.request, visible.status,
             visible.credits, visible.output, visible.error_code, visible.error_message,
             visible.created_at, visible.completed_at, case when kind = 'upscale' and status = 'PROCESSING' then (
        select sum(frames_done)::float8 / sum(frames) from upscale_segments where task_id = visible.id
      ) end as "shareDone"
      from unnest($1::uuid[]) as wanted (id)
      cross join lateral (
        select id, account_id, key_id, kind, model, case when kind = 'upscale' or request ? 'promptCut' then request else request - 'prompt' end as request,
               status, credits, output, error_code, error_message, created_at, completed_at
        from tasks where id = wanted.id limit 1
      ) as visible`,
    values: [taskIds],
  });
  return rows;
}

/** Deletes the segments of a task; returns its objects and running vendor jobs. */
export async function deleteUpscale(
  db: Db,
  taskId: TaskId,
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

/** Upscales whose files a worker has not let go yet. */
export async function countUpscales(db: Db, accountIds: readonly AccountId[]): Promise<number> {
  const row = await db
    .selectFrom("upscales")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "in", [...accountIds])
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function forgetTurns(db: Db, accountId: AccountId): Promise<void> {
  await db.deleteFrom("upscale_turns").where("account_id", "=", accountId).execute();
}

export const sweepUpscalesLoop = "sweep upscales";

/** Upscales whose task has ended without deleting them: its worker died, or the task expired. */
export async function listOrphans(db: Db, rowsMax: number): Promise<TaskId[]> {
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
