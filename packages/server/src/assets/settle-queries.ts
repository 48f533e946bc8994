import { sql } from "kysely";
import { type Db, inTransaction, type Tx } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";
import type { AssetFault } from "../db/tables/assets.ts";
import type { AccountId, AssetId } from "../ids.ts";
import type { MediaFacts } from "../media/probe/probe.ts";
import { expireObject } from "../media/storage/objects.ts";
import { findLatestUse } from "../tasks/open-uses.ts";
import { blankDeclaration, expireForm } from "./declarations/queries.ts";
import { revokedReason } from "./fail-reason.ts";
import { type LibraryDefaults, readLibrary } from "./library-queries.ts";
import { queueReviewedEvent } from "./queue-reviewed-event.ts";
import { countPassed, countRefused } from "./review/figures.ts";
import { isUndoneSince } from "./review/queries.ts";
import { leaveQueue } from "./review/queue.ts";

/** The SQL that records the copy, the status and the end of an asset. Ending an asset expires its copy. */

class StorageFull extends Error {}

/**
 * Records the copy and its facts, unless another run of the step was first or the account's storage is
 * full. The bytes are counted in the same transaction, one copy of an account at a time.
 */
export async function saveCopy(
  db: Db,
  assetId: AssetId,
  copy: { storageKey: string; sizeBytes: number; sha256: string; facts: MediaFacts },
  defaults: LibraryDefaults,
): Promise<"saved" | "late" | "full"> {
  const { facts } = copy;
  return inTransaction(db, async (tx) => {
    const saved = await tx
      .updateTable("assets")
      .set({
        storage_key: copy.storageKey,
        size_bytes: copy.sizeBytes,
        sha256: copy.sha256,
        content_type: facts.contentType,
        width: facts.width,
        height: facts.height,
        duration_ms: facts.durationMs,
        frames: facts.frames,
        video_codec: facts.type === "VIDEO" ? facts.videoCodec : null,
      })
      .where("id", "=", assetId)
      .where("storage_key", "is", null)
      .where("status", "=", "PROCESSING")
      .returning("account_id as accountId")
      .executeTakeFirst();
    if (saved === undefined) return "late" as const;
    const { storedBytes, storedBytesMax } = await readLibrary(tx, saved.accountId, defaults);
    if (storedBytes > storedBytesMax) throw new StorageFull();
    return "saved" as const;
  }).catch((error) => {
    if (error instanceof StorageFull) return "full" as const;
    throw error;
  });
}

interface Ended {
  id: AssetId;
  accountId: AccountId;
  upstreamAssetId: string;
  storageKey: string | null;
}
const endedColumns = [
  "id",
  "account_id as accountId",
  "upstream_asset_id as upstreamAssetId",
  "storage_key as storageKey",
] as const;

export type Decision =
  | { status: "ACTIVE" | "NONE" }
  | { status: "FAILED"; reason: string; code: AssetFault };

/**
 * The only transition out of PROCESSING. Returns whether this call made it: not if a verdict was undone
 * after those that the decision was made by, up to the number `seen`.
 */
export async function decideAsset(
  db: Db,
  assetId: AssetId,
  decision: Decision,
  seen?: number,
): Promise<boolean> {
  const failure =
    decision.status === "FAILED"
      ? { fail_reason: decision.reason, fail_code: decision.code }
      : { fail_reason: null };
  return inTransaction(db, async (tx) => {
    await tx.selectFrom("assets").select("id").where("id", "=", assetId).forUpdate().execute();
    if (seen !== undefined && (await isUndoneSince(tx, assetId, seen))) return false;
    const ended = await tx
      .updateTable("assets")
      .set({ status: decision.status, ...failure, next_step_at: null })
      .where("id", "=", assetId)
      .where("status", "=", "PROCESSING")
      .returning(endedColumns)
      .executeTakeFirst();
    if (ended === undefined) return false;
    if (decision.status === "FAILED") await expireCopy(tx, ended, "keeps upscales");
    await queueReviewedEvent(tx, ended, decision);
    await endReview(tx, ended, decision);
    return true;
  });
}

/**
 * Fails an asset that has no copy. With a copy the file was good, whatever a later run of the step
 * reports.
 */
export async function failUnstored(
  db: Db,
  assetId: AssetId,
  fault: { code: AssetFault; reason: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const failed = await tx
      .updateTable("assets")
      .set({
        status: "FAILED",
        fail_reason: fault.reason,
        fail_code: fault.code,
        next_step_at: null,
      })
      .where("id", "=", assetId)
      .where("status", "=", "PROCESSING")
      .where("storage_key", "is", null)
      .executeTakeFirst();
    if (failed.numUpdatedRows > 0n) await expireForm(tx, assetId);
  });
}

/**
 * Ends an asset that passed, permanently and with its copy: tasks that need it fail. The owner sees a sentence
 * of the service; `reason` is what the staff wrote, for operators.
 */
export async function endRevoked(tx: Tx, assetId: AssetId, reason: string): Promise<boolean> {
  const ended = await tx
    .updateTable("assets")
    .set({
      status: "FAILED",
      fail_reason: revokedReason.en,
      fail_code: "refused",
      revoked_at: sql<Date>`now()`,
    })
    .where("id", "=", assetId)
    .where("status", "in", ["ACTIVE", "NONE"])
    .returning(endedColumns)
    .executeTakeFirst();
  if (ended === undefined) return false;
  await expireCopy(tx, ended, "at once");
  await countRefused(tx, ended.accountId, { assetId, reason });
  return true;
}

/** Back into review: the verdict that ended it was undone. */
export async function reopenAsset(tx: Tx, assetId: AssetId): Promise<void> {
  await tx
    .updateTable("assets")
    .set({ status: "PROCESSING", next_step_at: inMs(reopenedMs) })
    .where("id", "=", assetId)
    .where("status", "!=", "FAILED")
    .execute();
}

/** A new verdict continues the review; this covers a wake-up that was lost. */
const reopenedMs = 10 * 60_000;

/** The row stays without the owner's name and URL: its reviews are a record. */
export async function deleteRow(tx: Tx, assetId: AssetId): Promise<void> {
  const ended = await tx
    .updateTable("assets")
    .set({
      status: "FAILED",
      deleted_at: sql<Date>`now()`,
      next_step_at: null,
      url: "",
      name: null,
    })
    .where("id", "=", assetId)
    .returning(endedColumns)
    .executeTakeFirstOrThrow();
  await expireCopy(tx, ended, "at once");
  await blankDeclaration(tx, assetId);
  await leaveQueue(tx, assetId);
}

/** The end of every review is recorded here and nowhere else, in the transaction that makes it known. */
async function endReview(tx: Tx, asset: Ended, decision: Decision): Promise<void> {
  await leaveQueue(tx, asset.id);
  if (decision.status === "ACTIVE") await countPassed(tx, asset.accountId, 1);
  if (decision.status === "FAILED" && decision.code === "refused")
    await countRefused(tx, asset.accountId, { assetId: asset.id, reason: decision.reason });
}

/**
 * Expires the copy and the form. An upscale that was accepted before the refusal keeps its source until
 * its deadline; nothing else reads it.
 */
async function expireCopy(
  tx: Tx,
  { id, accountId, upstreamAssetId, storageKey }: Ended,
  retention: "at once" | "keeps upscales",
): Promise<void> {
  await expireForm(tx, id);
  if (storageKey === null) return;
  const names = [upstreamAssetId, storageKey];
  const neededUntil =
    retention === "at once" ? null : await findLatestUse(tx, accountId, names, "upscale");
  await expireObject(tx, storageKey, neededUntil);
}
