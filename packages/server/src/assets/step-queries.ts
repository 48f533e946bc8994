import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";
import type { AccountId, AssetId } from "../ids.ts";

/** The SQL of when an asset that is PROCESSING takes its next step. Times are the database's. */

const checkPauseMs = 1_000;
const checkMsMax = 60_000;
/** A waiting file is checked again after this time. The sweep admits it long before. */
export const lineMsMax = 60 * 60_000;
/** Files of one account that are fetched, or ask for a permit to be fetched, at the same time. */
export const admittedMax = 20;
const admittedRepeatMs = 10_000;
const oneMore = sql<number>`least(steps + 1, 1000)`; // caps the exponent, so that it cannot overflow
const backoff = sql<Date>`now() + least(60, 2 * power(1.5, least(steps, 20))) * (0.8 + 0.4 * random()) * interval '1 second'`;

/** Sets when to continue with an asset if nothing happens before: after this time, or with a growing delay. */
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

const isWaiting = sql<boolean>`status = 'PROCESSING' and storage_key is null and turn_at is null`;

/**
 * Admits the first waiting files, of one account or of all accounts. An account has no more
 * than `admittedMax` at once, so that however many files it asks for, the engine and the workers see these
 * only. A wake-up that is lost is repeated by the sweep.
 */
export async function admitNextAssets(db: Db, accountId: AccountId | null): Promise<AssetId[]> {
  const accounts =
    accountId === null
      ? sql`(with recursive line as (
          (select account_id from assets where ${isWaiting} order by account_id limit 1)
          union all
          select (select account_id from assets where ${isWaiting} and account_id > line.account_id
            order by account_id limit 1)
          from line where line.account_id is not null)
        select account_id from line where account_id is not null)`
      : sql`(values (${accountId}::uuid))`;
  const { rows } = await sql<{ id: AssetId }>`
    update assets set turn_at = now(), next_step_at = ${inMs(admittedRepeatMs)}
    where ${isWaiting} and id in (
      select first.id from ${accounts} as of (account_id)
      cross join lateral (
        select id from assets where ${isWaiting} and account_id = of.account_id
        order by id
        limit ${admittedMax} - (select count(*) from (
          select from assets where account_id = of.account_id
            and status = 'PROCESSING' and storage_key is null and turn_at is not null
          limit ${admittedMax}) as turns)) as first)
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Assets whose next step is due; taking one postpones its next step. One in line keeps its place. */
export async function takeDueAssets(db: Db, rowsMax: number) {
  const taken = await db
    .updateTable("assets")
    .set({
      next_step_at: sql<Date>`case when ${isWaiting} then ${inMs(lineMsMax)} else ${backoff} end`,
      steps: oneMore,
    })
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
    .returning(["id", isWaiting.as("isWaiting")])
    .execute();
  return taken.filter((asset) => !asset.isWaiting);
}

/** Takes one asset if it is due. Returns whether it was due: true for one of many concurrent callers. */
export async function takeDueAsset(db: Db, assetId: AssetId): Promise<boolean> {
  const result = await db
    .updateTable("assets")
    .set({ next_step_at: backoff, steps: oneMore })
    .where("id", "=", assetId)
    .where("status", "=", "PROCESSING")
    .where(sql<boolean>`not (${isWaiting})`)
    .where("next_step_at", "<=", sql<Date>`now()`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
