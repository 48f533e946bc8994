import { sql } from "kysely";
import { type Db, inTransaction } from "../../db/database.ts";
import type { AssetVerdict } from "../../db/tables/assets.ts";
import type { AssetId } from "../../ids.ts";
import type { AssetRow } from "../queries.ts";

/** The SQL of reviews, and of registering an asset with a vendor that reviews it. */

/** Records a review decision. Numbered under the asset's lock, so that none is lost. */
export async function addReview(
  db: Db,
  assetId: AssetId,
  review: { actor: string; verdict: AssetVerdict; reason: string; unable?: boolean },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.selectFrom("assets").select("id").where("id", "=", assetId).forUpdate().execute();
    await sql`insert into asset_reviews (asset_id, number, actor, verdict, reason, unable)
      select ${assetId}, coalesce(max(number), 0) + 1, ${review.actor}, ${review.verdict}, ${review.reason},
        ${review.unable ?? false}
      from asset_reviews where asset_id = ${assetId}`.execute(tx);
  });
}

export async function listReviews(db: Db, assetId: AssetId) {
  return db
    .selectFrom("asset_reviews")
    .select(["actor", "verdict", "reason", "unable", "at"])
    .where("asset_id", "=", assetId)
    .orderBy("number")
    .execute();
}

/** Stored assets without an end, oldest first, with the last doubt about each. */
export async function listWaiting(db: Db) {
  return db
    .selectFrom("assets")
    .select((row) => [
      "id",
      "type",
      "storage_key as storageKey",
      "created_at as createdAt",
      row
        .selectFrom("asset_reviews")
        .select("reason")
        .whereRef("asset_id", "=", "assets.id")
        .orderBy("number", "desc")
        .limit(1)
        .as("doubt"),
    ])
    .where("status", "=", "PROCESSING")
    .where("storage_key", "is not", null)
    .orderBy("id")
    .limit(100)
    .execute();
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
