import type { Caller } from "../../accounts/queries.ts";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { parseId, type UploadId } from "../../ids.ts";
import { findAssetOfUpload } from "../queries.ts";
import { findOwnUpload, type UploadRow } from "./queries.ts";
import type { UploadAnswer } from "./schema.ts";
import { findNamedTwin, viewTwin, viewUpload } from "./upload-view.ts";

/** The received chunks of an upload, with new links for the rest: a sender resumes from here. */
export async function readUpload(ctx: Context, caller: Caller, id: string): Promise<UploadAnswer> {
  const twin = await findNamedTwin(ctx, caller, id);
  if (twin !== undefined) return viewTwin(ctx, twin, twin.size_bytes ?? 0);
  const upload = await requireUpload(ctx, caller, id);
  return viewUpload(ctx, upload, await findAssetOfUpload(ctx.db, upload.id));
}

/** Another account's upload is like one that does not exist. */
export async function requireUpload(ctx: Context, caller: Caller, id: string): Promise<UploadRow> {
  const uploadId = parseId<UploadId>(id);
  const upload = uploadId && (await findOwnUpload(ctx.db, caller.id, uploadId));
  if (upload === undefined) throw new ApiError("upload_not_found");
  return upload;
}
