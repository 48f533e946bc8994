import { sql } from "kysely";
import { type Db, inTransaction, type Tx } from "../../db/database.ts";
import { inMs } from "../../db/in-ms.ts";
import type { AssetVerdict, ReviewScores } from "../../db/tables/assets.ts";
import type { AssetId } from "../../ids.ts";
import type { AssetRow } from "../queries.ts";

/** The SQL of reviews, and of registering an asset with a vendor that reviews it. */

export interface Review {
  actor: string;
  verdict: AssetVerdict;
  reason: string;
  unable?: boolean;
  code?: string | undefined;
  scores?: ReviewScores | undefined;
  /** The time until a refusal takes effect. It can be undone until then, and nobody is notified before. */
  takesEffectInMs?: number;
}

/** Records a review decision. Numbered under the asset's lock, so that none is lost. */
export async function addReview(db: Db, assetId: AssetId, review: Review): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.selectFrom("assets").select("id").where("id", "=", assetId).forUpdate().execute();
    await insertReview(tx, assetId, review);
  });
}

/** Inserts a review in a transaction that has locked the asset. */
export async function insertReview(tx: Tx, assetId: AssetId, review: Review): Promise<void> {
  const { actor, verdict, reason, unable = false, code = null, scores, takesEffectInMs } = review;
  await sql`insert into asset_reviews
      (asset_id, number, actor, verdict, reason, unable, code, scores, takes_effect_at)
    select ${assetId}, coalesce(max(number), 0) + 1, ${actor}, ${verdict}, ${reason}, ${unable}, ${code},
      ${scores === undefined ? null : JSON.stringify(scores)}::jsonb,
      ${takesEffectInMs === undefined ? null : inMs(takesEffectInMs)}
    from asset_reviews where asset_id = ${assetId}`.execute(tx);
}

/**
 * Returns the reviews in the order in which they were made. `pendingMs`: a refusal takes effect after this
 * time.
 */
export async function listReviews(db: Db, assetId: AssetId) {
  return db
    .selectFrom("asset_reviews")
    .select([
      ...(["number", "actor", "verdict", "reason", "code", "unable", "at"] as const),
      sql<number>`greatest(0, ceil(extract(epoch from takes_effect_at - now()) * 1000))::int`.as(
        "pendingMs",
      ),
    ])
    .where("asset_id", "=", assetId)
    .orderBy("number")
    .execute();
}

/** The asset's newest verdict of a person; whether it can still be undone is the database's to say. */
export async function findLastDecision(tx: Tx, assetId: AssetId, undoMs: number) {
  return tx
    .selectFrom("asset_reviews")
    .select([
      ...(["number", "actor", "verdict", "code"] as const),
      sql<boolean>`at > now() - ${undoMs} * interval '1 millisecond'`.as("isFresh"),
      sql<boolean>`coalesce(takes_effect_at > now(), false)`.as("isPending"),
    ])
    .where("asset_id", "=", assetId)
    .where("actor", "like", `${byHand}%`)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The prefix of the actor of a person's verdict: the reviewer's name in a line of reviewers. */
export const byHand = "manual ";

/** Whether a verdict was undone after those that were seen. */
export async function isUndoneSince(tx: Tx, assetId: AssetId, number: number): Promise<boolean> {
  const row = await tx
    .selectFrom("asset_reviews")
    .select("number")
    .where("asset_id", "=", assetId)
    .where("number", ">", number)
    .where("verdict", "=", "undone")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function saveVendorAssetId(db: Db, assetId: AssetId, id: string): Promise<void> {
  await db.updateTable("assets").set({ vendor_asset_id: id }).where("id", "=", assetId).execute();
}

/**
 * Records the intent to register an asset with a vendor, if the row is unchanged since it was read and
 * the last attempt is long ago. Returns the time, or nothing if another caller was first.
 */
export async function claimRegistration(
  db: Db,
  asset: AssetRow,
  quietMs: number,
): Promise<Date | undefined> {
  const row = await db
    .updateTable("assets")
    .set({ vendor_submit_started_at: sql<Date>`date_trunc('milliseconds', now())` }) // all that a Date can hold
    .where("id", "=", asset.id)
    .where("status", "=", "PROCESSING")
    .where("vendor_asset_id", "is", null)
    .where("vendor_submit_started_at", "is not distinct from", asset.vendor_submit_started_at)
    .where(
      sql<boolean>`(vendor_submit_started_at is null or vendor_submit_started_at < now() - ${quietMs} * interval '1 millisecond')`,
    )
    .returning("vendor_submit_started_at")
    .executeTakeFirst();
  return row?.vendor_submit_started_at ?? undefined;
}

/** The vendor has proven not to have registered the asset. */
export async function returnRegistration(db: Db, assetId: AssetId, askedAt: Date): Promise<void> {
  await db
    .updateTable("assets")
    .set({ vendor_submit_started_at: null })
    .where("id", "=", assetId)
    .where("vendor_submit_started_at", "=", askedAt)
    .execute();
}
