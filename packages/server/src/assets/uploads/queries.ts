import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { inMs } from "../../db/in-ms.ts";
import type { Database } from "../../db/schema.ts";

export type UploadRow = Selectable<Database["asset_uploads"]>;

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

/** Uploads that were begun and neither completed nor over. */
export async function countOpenUploads(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom("asset_uploads")
    .select((eb) => eb.fn.countAll<number>().as("open"))
    .where("account_id", "=", accountId)
    .where("expires_at", ">", sql<Date>`now()`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("assets").select("assets.id").whereRef("upload_id", "=", "asset_uploads.id"),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return row.open;
}

/** Only the account's own, and only until it is over. */
export async function findOwnUpload(
  db: Db,
  accountId: string,
  uploadId: string,
): Promise<UploadRow | undefined> {
  return db
    .selectFrom("asset_uploads")
    .select(uploadColumns)
    .where("id", "=", uploadId)
    .where("account_id", "=", accountId)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
}

export async function findUpload(db: Db, uploadId: string): Promise<UploadRow | undefined> {
  return db
    .selectFrom("asset_uploads")
    .select(uploadColumns)
    .where("id", "=", uploadId)
    .executeTakeFirst();
}

/** Keeps the row for so long from now, and locked until the transaction ends: one completes at a time. */
export async function lockUpload(tx: Tx, uploadId: string, forMs: number): Promise<boolean> {
  const result = await tx
    .updateTable("asset_uploads")
    .set({ expires_at: inMs(forMs) })
    .where("id", "=", uploadId)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function dropExpiredUploads(db: Db, rowsMax: number): Promise<void> {
  await sql`delete from asset_uploads where id in (
    select id from asset_uploads where expires_at <= now() order by expires_at limit ${rowsMax}
    for update skip locked)`.execute(db);
}
