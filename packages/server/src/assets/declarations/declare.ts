import type { Caller } from "../../accounts/queries.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { ApiError, invalid } from "../../errors.ts";
import type { AccountId, AssetId } from "../../ids.ts";
import { keepObjects } from "../../media/storage/objects.ts";
import { chunksKeptMs, uploadMs } from "../uploads/limits.ts";
import { lockUpload, type UploadRow } from "../uploads/queries.ts";
import { requireUpload } from "../uploads/read-upload.ts";
import { chunksOfUpload, findMissing } from "../uploads/upload-view.ts";
import { insertDeclaration } from "./queries.ts";
import type { DeclarationBody } from "./schema.ts";

const param = "declaration.formUploadId";

/** A declaration whose form, if it has one, is known to have been received. */
export interface CheckedDeclaration {
  people: string;
  purpose: string;
  form: UploadRow | null;
}

/**
 * Checks a declaration before the transaction that uploads the asset: the storage is asked for the chunks
 * of the form.
 */
export async function checkDeclaration(
  ctx: Context,
  caller: Caller,
  body: DeclarationBody | null | undefined,
): Promise<CheckedDeclaration | null> {
  if (!body) return null;
  const { people, purpose, formUploadId } = body;
  if (!formUploadId) return { people, purpose, form: null };
  const form = await requireUpload(ctx, caller, formUploadId).catch((error) => {
    throw error instanceof ApiError ? invalid(param, "there is no such upload") : error;
  });
  if (form.type !== "DOCUMENT") throw invalid(param, "must be an upload of type DOCUMENT");
  const missing = await findMissing(ctx, form);
  if (missing.length > 0) throw invalid(param, `${missing.length} chunks not received yet`);
  return { people, purpose, form };
}

/** Stores a declaration in the transaction that uploads the asset: no reviewer sees the asset without it. */
export async function declare(
  tx: Tx,
  asset: { id: AssetId; account_id: AccountId },
  declaration: CheckedDeclaration | null,
): Promise<void> {
  if (declaration === null) return;
  const { people, purpose, form } = declaration;
  const row = { assetId: asset.id, accountId: asset.account_id, people, purpose };
  if (form !== null && !(await lockUpload(tx, form.id, uploadMs)))
    throw invalid(param, "the upload has expired");
  if (!(await insertDeclaration(tx, { ...row, formUploadId: form?.id ?? null })))
    throw invalid(param, "the upload is the form of another asset");
  if (form === null) return;
  const keys = chunksOfUpload(form).map(({ key }) => key);
  await keepObjects(tx, keys, chunksKeptMs);
}
