import { sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { changedRows } from "../../db/only-row.ts";
import type { AccountId, AssetId, UploadId } from "../../ids.ts";
import { expireObject } from "../../media/storage/objects.ts";

/** Returns whether the form is this declaration's: an upload is the form of one asset. */
export async function insertDeclaration(
  tx: Tx,
  row: {
    assetId: AssetId;
    accountId: AccountId;
    people: string;
    purpose: string;
    formUploadId: UploadId | null;
  },
): Promise<boolean> {
  const result = await sql`
    insert into asset_declarations (asset_id, account_id, people, purpose, form_upload_id)
    values (${row.assetId}, ${row.accountId}, ${row.people}, ${row.purpose}, ${row.formUploadId})
    on conflict (form_upload_id) do nothing`.execute(tx);
  return changedRows(result) > 0;
}

export async function findDeclaration(db: Db, assetId: AssetId) {
  return db
    .selectFrom("asset_declarations")
    .select([
      ...(["people", "purpose", "form_upload_id as formUploadId"] as const),
      ...(["form_key as formKey", "form_type as formType", "created_at as createdAt"] as const),
    ])
    .where("asset_id", "=", assetId)
    .executeTakeFirst();
}

/** Records our copy of the form, unless another run of the step was first. Its bytes count as the account's. */
export async function saveForm(
  tx: Tx,
  assetId: AssetId,
  form: { key: string; type: string; sha256: string; sizeBytes: number },
): Promise<boolean> {
  const saved = await tx
    .updateTable("asset_declarations")
    .set({ form_key: form.key, form_type: form.type, form_sha256: form.sha256 })
    .where("asset_id", "=", assetId)
    .where("form_key", "is", null)
    .executeTakeFirst();
  if (saved.numUpdatedRows === 0n) return false;
  await tx
    .updateTable("assets")
    .set({ form_bytes: form.sizeBytes })
    .where("id", "=", assetId)
    .execute();
  return true;
}

/** Deletes the form together with the copy of its asset; the record that there was one stays. */
export async function expireForm(tx: Tx, assetId: AssetId): Promise<void> {
  const declaration = await findDeclaration(tx, assetId);
  if (declaration === undefined || declaration.formKey === null) return;
  await tx
    .updateTable("asset_declarations")
    .set({ form_key: null })
    .where("asset_id", "=", assetId)
    .execute();
  await expireObject(tx, declaration.formKey, null);
}

/** Blanks the owner's texts in a declaration, together with the asset's name and URL. */
export async function blankDeclaration(tx: Tx, assetId: AssetId): Promise<void> {
  await tx
    .updateTable("asset_declarations")
    .set({ people: "", purpose: "" })
    .where("asset_id", "=", assetId)
    .execute();
}
