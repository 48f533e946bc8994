import { sql } from "kysely";
import { type Db, inTransaction } from "../db/database.ts";
import type { AccountId, AssetId, UploadId } from "../ids.ts";

/**
 * The steps of erasing an account's library. They run as the owner of the schema, because the service may
 * do none of this.
 */

/**
 * Ends the next assets of an account, so that no worker stores another copy of one, and returns what is
 * kept of each here and in a vendor's library.
 */
export async function endAssets(db: Db, accountId: AccountId, rowsMax: number) {
  const { rows } = await sql<{
    id: AssetId;
    storageKey: string | null;
    vendorAssetId: string | null;
    formKey: string | null;
  }>`update assets set status = 'FAILED', deleted_at = coalesce(deleted_at, now()), next_step_at = null
    where id = any (array(select id from assets where account_id = ${accountId} order by id limit ${rowsMax}))
    returning id, storage_key as "storageKey", vendor_asset_id as "vendorAssetId",
      (select form_key from asset_declarations d where d.asset_id = assets.id) as "formKey"`.execute(
    db,
  );
  return rows;
}

/** Deletes assets with the record of their reviews and what was declared about them. */
export async function deleteAssets(db: Db, assetIds: AssetId[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`delete from open_reviews where asset_id = any (${assetIds}::bigint[])`.execute(tx);
    await sql`delete from asset_declarations where asset_id = any (${assetIds}::bigint[])`.execute(
      tx,
    );
    await sql`delete from asset_reviews where asset_id = any (${assetIds}::bigint[])`.execute(tx);
    await sql`delete from assets where id = any (${assetIds}::bigint[])`.execute(tx);
  });
}

/** Deletes how the reviews of an account's assets ended. */
export async function forgetReviews(db: Db, accountId: AccountId): Promise<void> {
  await db.deleteFrom("account_reviews").where("account_id", "=", accountId).execute();
}

export async function listUploads(db: Db, accountId: AccountId, rowsMax: number) {
  return db
    .selectFrom("asset_uploads")
    .select(["id", "chunk_stem as chunkStem"])
    .where("account_id", "=", accountId)
    .limit(rowsMax)
    .execute();
}

/** The record of the chunks stays until no link can bring one back. */
export async function deleteUpload(db: Db, uploadId: UploadId): Promise<void> {
  await db.deleteFrom("asset_uploads").where("id", "=", uploadId).execute();
}
