import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";
import type { AssetId } from "../ids.ts";

/** The SQL of when an asset that is PROCESSING takes its next step. Times are the database's. */

const checkPauseMs = 1_000;
const checkMsMax = 60_000;
const oneMore = sql<number>`least(steps + 1, 1000)`; // caps the exponent, so that it cannot overflow
const backoff = sql<Date>`now() + least(60, 2 * power(1.5, least(steps, 20))) * (0.8 + 0.4 * random()) * interval '1 second'`;

/** When to continue with an asset if nothing happens before: after this time, or with a growing delay. */
export async function postponeAsset(db: Db, assetId: AssetId, forMs?: number): Promise<void> {
  const nextStepAt = forMs === undefined ? backoff : inMs(forMs);
  await db
    .updateTable("assets")
    .set({ next_step_at: nextStepAt, steps: oneMore, next_check_at: inMs(checkPauseMs) })
    .where("id", "=", assetId)
    .where("status", "=", "PROCESSING")
    .execute();
}

/**
 * Claims the right to check a stored asset now. One check at a time with a pause in between, so that
 * the rate of status queries does not determine the load of the engine or the reviewers. A claim whose
 * check was lost expires.
 */
export async function claimCheck(db: Db, assetId: AssetId): Promise<boolean> {
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

/** A decision was made: continue after this time. */
export async function continueAsset(db: Db, assetId: AssetId, forMs: number): Promise<void> {
  await db
    .updateTable("assets")
    .set({ next_step_at: inMs(forMs) })
    .where("id", "=", assetId)
    .where("status", "=", "PROCESSING")
    .execute();
}

/** Assets whose next step is due; taking one postpones its next step. */
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

/** The same for one asset. Returns whether it was due: true for one of many concurrent callers. */
export async function takeDueAsset(db: Db, assetId: AssetId): Promise<boolean> {
  const result = await db
    .updateTable("assets")
    .set({ next_step_at: backoff, steps: oneMore })
    .where("id", "=", assetId)
    .where("status", "=", "PROCESSING")
    .where("next_step_at", "<=", sql<Date>`now()`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
