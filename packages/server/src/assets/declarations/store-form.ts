import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { MediaContext } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { probeMedia } from "../../media/probe/probe.ts";
import { dropObject, keepObject, storeFile } from "../../media/storage/objects.ts";
import { newPrivateKey } from "../../media/storage/storage.ts";
import { type AssetRow, lockStatus } from "../queries.ts";
import { joinChunks, removeChunks } from "../uploads/join-chunks.ts";
import { endUpload } from "../uploads/queries.ts";
import { findDeclaration, saveForm } from "./queries.ts";

const pdfMark = "%PDF-";
const unusable = "The form of the declaration is not a PDF, PNG, JPEG or WebP file, or is damaged.";

/**
 * Stores the form of an asset's declaration as a private object, once. Returns what is wrong with it, or
 * null. A PDF is not parsed: it is only handed out, as a download, to its owner and to reviewers.
 */
export async function storeForm(ctx: MediaContext, asset: AssetRow): Promise<string | null> {
  const declaration = await findDeclaration(ctx.db, asset.id);
  const uploadId = declaration?.formUploadId ?? null;
  if (uploadId === null || declaration?.formKey) return null;
  await mkdir(ctx.workDir, { recursive: true });
  const dir = await mkdtemp(join(ctx.workDir, "form-"));
  try {
    const path = join(dir, "file");
    const file = await joinChunks(ctx, uploadId, path);
    if (file.kind === "refused") return `The form of the declaration: ${file.reason}`;
    const kind = await ctx.probes.use({ owner: asset.account_id }, () => kindOf(path));
    if (kind === null) return unusable;
    const { sizeBytes, sha256 } = file;
    const facts = { contentType: kind.servedAs, sizeBytes, sha256 };
    const privateKey = newPrivateKey(kind.extension);
    const key = await storeFile(ctx, path, kind.extension, facts, privateKey);
    await keepObject(ctx.db, key, null);
    const isSaved = await inTransaction(ctx.db, async (tx) => {
      if ((await lockStatus(tx, asset.id))?.status !== "PROCESSING") return false; // deleted just now
      const form = { key, type: kind.type, sha256, sizeBytes };
      if (!(await saveForm(tx, asset.id, form))) return false;
      await endUpload(tx, uploadId);
      return true;
    });
    if (isSaved) await removeChunks(ctx, uploadId);
    else await dropObject(ctx, key);
    return null;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * Returns the kind of a file by its bytes. A PDF is served without a specific type, so that no browser
 * opens it by itself.
 */
async function kindOf(path: string) {
  if ((await readHead(path)) === pdfMark)
    return { extension: "pdf", type: "application/pdf", servedAs: "application/octet-stream" };
  const facts = await probeMedia(path);
  if (facts?.type !== "IMAGE") return null;
  return { extension: facts.extension, type: facts.contentType, servedAs: facts.contentType };
}

async function readHead(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(pdfMark.length), 0, pdfMark.length, 0);
  return buffer.toString("latin1", 0, bytesRead);
}
