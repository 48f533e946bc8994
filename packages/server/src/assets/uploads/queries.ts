import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { inMs } from "../../db/in-ms.ts";
import { onlyRow } from "../../db/only-row.ts";
import type { Database } from "../../db/schema.ts";
import type { AccountId, UploadId } from "../../ids.ts";

export type UploadRow = Omit<Selectable<Database["asset_uploads"]>, "completed_at">;

const uploadColumns = [
  "id",
  "account_id",
  "type",
  "name",
  "size_bytes",
  "sha256",
  "chunk_bytes",
  "chunk_stem",
  "created_at",
  "expires_at",
] as const;

export async function insertUpload(
  db: Db,
  upload: Omit<UploadRow, "created_at" | "expires_at">,
  forMs: number,
): Promise<UploadRow> {
  return db
    .insertInto("asset_uploads")
    .values({ ...upload, expires_at: inMs(forMs) })
    .returning(uploadColumns)
    .executeTakeFirstOrThrow();
}

/** Uploads that are neither completed nor expired. Counts at most `countMax`. */
export async function countOpenUploads(
  db: Db,
  accountId: AccountId,
  countMax: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from asset_uploads
      where account_id = ${accountId} and completed_at is null and expires_at > now()
      limit ${countMax}) as open`.execute(db);
  return onlyRow(rows).count;
}

/** Returns an upload of the account that has not expired. */
export async function findOwnUpload(
  db: Db,
  accountId: AccountId,
  uploadId: UploadId,
): Promise<UploadRow | undefined> {
  return db
    .selectFrom("asset_uploads")
    .select(uploadColumns)
    .where("id", "=", uploadId)
    .where("account_id", "=", accountId)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
}

export async function findUpload(db: Db, uploadId: UploadId): Promise<UploadRow | undefined> {
  return db
    .selectFrom("asset_uploads")
    .select(uploadColumns)
    .where("id", "=", uploadId)
    .executeTakeFirst();
}

/** Extends the row's life and locks it until the transaction ends: one caller completes at a time. */
export async function lockUpload(tx: Tx, uploadId: UploadId, forMs: number): Promise<boolean> {
  const result = await tx
    .updateTable("asset_uploads")
    .set({ expires_at: inMs(forMs) })
    .where("id", "=", uploadId)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends the upload. */
export async function endUpload(tx: Tx, uploadId: UploadId): Promise<void> {
  await tx
    .updateTable("asset_uploads")
    .set({ expires_at: sql<Date>`now()` })
    .where("id", "=", uploadId)
    .execute();
}

export async function dropExpiredUploads(db: Db, rowsMax: number): Promise<void> {
  await sql`delete from asset_uploads where id in (
    select id from asset_uploads where expires_at <= now() order by expires_at limit ${rowsMax}
    for update skip locked)`.execute(db);
}
