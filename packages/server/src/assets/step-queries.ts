import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";

/** The SQL of when an asset that is PROCESSING takes its next step. Times are the database's. */

const checkPauseMs = 1_000;
const checkMsMax = 60_000;
const oneMore = sql<number>`least(steps + 1, 1000)`; // spaces out steps, and cannot overflow
const backoff = sql<Date>`now() + least(60, 2 * power(1.5, least(steps, 20))) * (0.8 + 0.4 * random()) * interval '1 second'`;

/** When to go on with an asset if nothing happens before; later each time. */
export async function postponeAsset(db: Db, assetId: number): Promise<void> {
  await db
    .updateTable("assets")
    .set({ next_step_at: backoff, steps: oneMore, next_check_at: inMs(checkPauseMs) })
    .where("id", "=", assetId)
    .where("status", "=", "PROCESSING")
    .execute();
}

/**
 * Claims the right to have a stored asset checked now. One check at a time, and a pause between two: how
 * often owners ask decides neither the engine's load nor the reviewers'. A claim whose check was lost
 * ends by itself.
 */
export async function claimCheck(db: Db, assetId: number): Promise<boolean> {
  const result = await db
    .updateTable("assets")
    .set({ next_check_at: inMs(checkMsMax) })
    .where("id", "=", assetId)
    .where("status", "=", "PROCESSING")
    .where("storage_key", "is not", null)
    .where(sql<boolean>`coalesce(next_check_at, now()) <= now()`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** A decision has come: go on now. */
export async function hurryAsset(db: Db, assetId: number): Promise<void> {
  await db
    .updateTable("assets")
    .set({ next_step_at: sql<Date>`now()` })
    .where("id", "=", assetId)
    .where("status", "=", "PROCESSING")
    .execute();
}

/** Assets whose next step is due; taking one moves its next time on. */
export async function takeDueAssets(db: Db, rowsMax: number) {
  return db
    .updateTable("assets")
    .set({ next_step_at: backoff, steps: oneMore })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("assets")
        .select("id")
        .where("status", "=", "PROCESSING")
        .where("next_step_at", "<=", sql<Date>`now()`)
        .orderBy("next_step_at")
        .limit(rowsMax)
        .forUpdate()
        .skipLocked(),
    )
    .returning("id")
    .execute();
}

/** The same for one asset. Says whether it was due: of many callers at once, one is told so. */
export async function takeDueAsset(db: Db, assetId: number): Promise<boolean> {
  const result = await db
    .updateTable("assets")
    .set({ next_step_at: backoff, steps: oneMore })
    .where("id", "=", assetId)
    .where("status", "=", "PROCESSING")
    .where("next_step_at", "<=", sql<Date>`now()`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
