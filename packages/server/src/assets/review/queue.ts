import { sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { inMs } from "../../db/in-ms.ts";
import { changedRows, onlyRow } from "../../db/only-row.ts";
import type { AccountId, AssetId } from "../../ids.ts";

/** The SQL of the queue: what waits for a person, and who has claimed it. Times are the database's. */

/** A claim ends by itself unless it is renewed, and cannot be renewed for ever: pages are left open. */
export const claimMs = 5 * 60_000;
export const claimMsMax = 60 * 60_000;
/** The maximum number of assets that a reviewer may have claimed at a time. */
export const claimsMax = 20;
/** The places of one account are this far apart, so that accounts take turns. */
const positionGapMs = 60_000;

const isFree = sql<boolean>`(claimed_until is null or claimed_until <= now())`;

/** Puts an asset into the queue, unless it is there; claimed, if somebody is judging it already. */
export async function joinQueue(
  tx: Tx,
  { assetId, accountId }: { assetId: AssetId; accountId: AccountId },
  claimedBy: string | null = null,
): Promise<void> {
  const isClaimed = claimedBy !== null;
  await sql`
    insert into open_reviews (asset_id, account_id, place_at, claimed_by, claimed_at, claimed_until)
    select ${assetId}, ${accountId}, greatest(now(), ${positionGapMs} * interval '1 millisecond' + (
      select place_at from open_reviews where account_id = ${accountId} order by place_at desc limit 1)),
      ${claimedBy}, ${isClaimed ? sql`now()` : null}, ${isClaimed ? inMs(claimMs) : null}
    on conflict (asset_id) do nothing`.execute(tx);
}

export async function leaveQueue(tx: Tx, assetId: AssetId): Promise<void> {
  await tx.deleteFrom("open_reviews").where("asset_id", "=", assetId).execute();
}

/**
 * Locks the reviewer's claims until the end of the transaction, so that the limit holds for concurrent
 * requests.
 */
export async function lockClaims(tx: Tx, reviewer: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`claims of reviewer ${reviewer}`}, 0))`.execute(
    tx,
  );
}

/** Counts at most `claimsMax`. */
export async function countClaims(tx: Tx, reviewer: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from open_reviews where claimed_by = ${reviewer} and claimed_until > now()
      limit ${claimsMax}) as held`.execute(tx);
  return onlyRow(rows).count;
}

/** Claims the next assets that nobody has. Concurrent reviewers skip what another one is taking. */
export async function claimNext(
  tx: Tx,
  { reviewer, rowsMax, except }: { reviewer: string; rowsMax: number; except: AccountId[] },
): Promise<AssetId[]> {
  const { rows } = await sql<{ assetId: AssetId; placeAt: Date }>`
    update open_reviews
    set claimed_by = ${reviewer}, claimed_at = now(), claimed_until = ${inMs(claimMs)}
    where asset_id = any (array(
      select asset_id from open_reviews where ${isFree} and account_id <> all (${except}::uuid[])
      order by place_at, asset_id limit ${rowsMax} for update skip locked))
    returning asset_id as "assetId", place_at as "placeAt"`.execute(tx);
  return rows
    .sort((a, b) => a.placeAt.getTime() - b.placeAt.getTime() || a.assetId - b.assetId)
    .map(({ assetId }) => assetId);
}

/** Claims one asset, unless another reviewer has it; a claim of one's own is renewed. */
export async function claimOne(tx: Tx, reviewer: string, assetId: AssetId): Promise<boolean> {
  const isMine = sql`(claimed_by = ${reviewer} and claimed_until > now())`;
  const claimed = await sql`
    update open_reviews set claimed_by = ${reviewer},
      claimed_at = case when ${isMine} then claimed_at else now() end,
      claimed_until = case when ${isMine} then ${renewed} else ${inMs(claimMs)} end
    where asset_id = ${assetId} and (${isFree} or claimed_by = ${reviewer})`.execute(tx);
  return changedRows(claimed) > 0;
}

const renewed = sql<Date>`least(${inMs(claimMs)}, claimed_at + ${claimMsMax} * interval '1 millisecond')`;

/** Renews the claims of a reviewer that have not ended. Returns those that are left. */
export async function renewAll(db: Db, reviewer: string) {
  return db
    .updateTable("open_reviews")
    .set({ claimed_until: renewed })
    .where("claimed_by", "=", reviewer)
    .where("claimed_until", ">", sql<Date>`now()`)
    .returning(["asset_id as assetId", sql<Date>`claimed_until`.as("until")])
    .execute();
}

/** Gives claims of a reviewer back: those that are named, or all. */
export async function release(db: Db, reviewer: string, assetIds?: AssetId[]): Promise<AssetId[]> {
  const rows = await db
    .updateTable("open_reviews")
    .set({ claimed_by: null, claimed_at: null, claimed_until: null })
    .where("claimed_by", "=", reviewer)
    .$if(assetIds !== undefined, (mine) => mine.where("asset_id", "in", assetIds ?? []))
    .returning("asset_id as assetId")
    .execute();
  return rows.map(({ assetId }) => assetId);
}

/** Takes an asset out of the queue, for the reviewer who has claimed it: exactly one decision finds it there. */
export async function takeClaimed(tx: Tx, reviewer: string, assetId: AssetId) {
  return tx
    .deleteFrom("open_reviews")
    .where("asset_id", "=", assetId)
    .where("claimed_by", "=", reviewer)
    .where("claimed_until", ">", sql<Date>`now()`)
    .returning(["account_id as accountId", sql<Date>`claimed_at`.as("claimedAt")])
    .executeTakeFirst();
}

/**
 * Returns the reviewer who has claimed a waiting asset, and the end of the claim; `undefined`: it does not
 * wait.
 */
export async function findClaim(db: Db, assetId: AssetId) {
  return db
    .selectFrom("open_reviews")
    .select([
      ...(["claimed_by as by", "claimed_until as until"] as const),
      sql<boolean>`not ${isFree}`.as("isLive"),
    ])
    .where("asset_id", "=", assetId)
    .executeTakeFirst();
}

export interface Waiting {
  assetId: AssetId;
  askedAt: Date;
  claimedBy: string | null;
  claimedUntil: Date | null;
}

const waitingColumns = sql`asset_id as "assetId", asked_at as "askedAt",
  case when claimed_until > now() then claimed_by end as "claimedBy",
  case when claimed_until > now() then claimed_until end as "claimedUntil"`;

/** Oldest first, after the cursor. */
export async function listQueue(db: Db, after: number, rowsMax: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select ${waitingColumns} from open_reviews where asset_id > ${after} order by asset_id limit ${rowsMax}`.execute(
    db,
  );
  return rows;
}

const countedMax = 10_000;

/**
 * Returns the number of waiting assets, counted up to `countedMax`, and the time since which the oldest
 * waits.
 */
export async function measureQueue(db: Db): Promise<{
  waiting: number;
  isCountedOut: boolean;
  oldestAt: Date | null;
  /** 0: nothing waits. */
  oldestSeconds: number;
}> {
  const { rows } = await sql<{ waiting: number; oldestAt: Date | null; oldestSeconds: number }>`
    select waiting, asked_at as "oldestAt",
      coalesce(greatest(0, extract(epoch from now() - asked_at)), 0)::float8 as "oldestSeconds"
    from (select count(*)::int as waiting
          from (select from open_reviews limit ${countedMax + 1}) as counted) as counts
    left join (select asked_at from open_reviews order by asset_id limit 1) as oldest on true`.execute(
    db,
  );
  const { waiting, ...oldest } = onlyRow(rows);
  return { waiting: Math.min(waiting, countedMax), isCountedOut: waiting <= countedMax, ...oldest };
}

/** Returns the assets that a reviewer has claimed: at most `claimsMax`. */
export async function listClaimed(db: Db, reviewer: string): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select ${waitingColumns} from open_reviews where claimed_by = ${reviewer} and claimed_until > now()
    order by asset_id limit ${claimsMax}`.execute(db);
  return rows;
}

/** Returns the waiting assets in the order of the ids. */
export async function findWaiting(db: Db, assetIds: AssetId[]): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select ${waitingColumns} from open_reviews where asset_id = any (${assetIds}::bigint[])`.execute(
    db,
  );
  const byId = new Map(rows.map((row) => [row.assetId, row]));
  return assetIds.flatMap((id) => byId.get(id) ?? []);
}
