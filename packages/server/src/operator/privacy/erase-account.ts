import { closeAccount, eraseKeys, eraseName } from "../../accounts/close-account.ts";
import { eraseRequests } from "../../accounts/requests/queries.ts";
import { eraseAccountNotes } from "../../accounts/staff-queries.ts";
import {
  deleteAssets,
  deleteUpload,
  endAssets,
  forgetReviews,
  listUploads,
} from "../../assets/erase-assets.ts";
import { eraseAudit } from "../../audit/erase-audit.ts";
import type { ShardContext } from "../../context.ts";
import { eraseGrantReasons } from "../../credits/grant-queries.ts";
import { eraseNotes } from "../../credits/ledger.ts";
import { eraseUsage } from "../../credits/usage-queries.ts";
import { forgetStuckRowsOf } from "../../db/stuck-rows.ts";
import type { AccountId, TaskId } from "../../ids.ts";
import {
  countFreedOutputs,
  endAgreements,
  forgetFreedOutputs,
} from "../../labels/agreements/queries.ts";
import { dropObjects } from "../../media/storage/objects.ts";
import type { Storage } from "../../media/storage/storage.ts";
import { erasePeople } from "../../people/erase-people.ts";
import {
  blankTasks,
  countOpenTasks,
  deleteIdempotencyKeys,
  listTaskObjects,
} from "../../tasks/erase-tasks.ts";
import { countUpscales, forgetTurns } from "../../upscale/queries.ts";
import { eraseEndpoints } from "../../webhooks/endpoints/queries.ts";
import { eraseDeliveries, eraseEvents } from "../../webhooks/erase-deliveries.ts";

/** Both databases as the owner of the schema: the service has no right to erase. */
interface ErasureContext extends ShardContext {
  storage: Storage;
  /** Called for every asset that is also in a vendor's library, before its id is erased. */
  onVendorAsset(vendorAssetId: string): void;
}

export type Erasure =
  | { kind: "refused"; reason: "missing" | "is a test account" | "another name" }
  /** The account is closed; nothing is erased while a vendor may still be at work for it. */
  | { kind: "open"; tasks: number; upscales: number; until: Date | null }
  | { kind: "erased"; counts: Counts; kept: KeptOutputs };

/** The record of outputs that were freed from the visible label, which stays until its period is over. */
interface KeptOutputs {
  outputs: number;
  until: Date | null;
}

type Counts = Record<(typeof counted)[number], number>;
const counted = [
  "keys",
  "tasks",
  "files",
  "assets",
  "uploads",
  "endpoints",
  "deliveries",
  "events",
  "idempotency-keys",
  "notes",
  "audit",
  "usage",
  "people",
] as const;

const rowsMax = 200;
/** Requests that were under way when the account was closed may still add something. */
const passesMax = 5;

/**
 * Erases an account and its test account: what they wrote, made and stored, and their names. The ledger
 * stays, with blanked tasks that prove it, and so does for its period the record of outputs that were
 * freed from the visible label, with its agreements. Files are deleted before the rows that name them and
 * the name last, so that a run that was killed is completed by the next one.
 */
export async function eraseAccount(
  ctx: ErasureContext,
  accountId: AccountId,
  name: string,
): Promise<Erasure> {
  const ids = await closeAccount(ctx, accountId, name);
  if (typeof ids === "string") return { kind: "refused", reason: ids };
  const { count: tasks, until } = await countOpenTasks(ctx.db, ids);
  const upscales = await countUpscales(ctx.db, ids);
  if (tasks + upscales > 0) return { kind: "open", tasks, upscales, until };
  const counts = Object.fromEntries(counted.map((what) => [what, 0])) as Counts;
  for (const id of ids) {
    await eraseTasks(ctx, id, counts);
    for (let pass = 1; pass <= passesMax && (await eraseRows(ctx, id, counts)) > 0; pass++);
    counts.keys += await eraseKeys(ctx.db, id);
    counts.notes += await eraseNotes(ctx.db, id);
    counts.notes += await eraseAccountNotes(ctx.db, id);
    counts.notes += await eraseGrantReasons(ctx.db, id);
    await eraseInDirectory(ctx, id, counts);
    counts.audit += await eraseAudit(ctx.db, id);
    counts.usage += await eraseUsage(ctx.db, id);
    await eraseRequests(ctx.db, id);
    await forgetStuckRowsOf(ctx.db, id);
    await forgetTurns(ctx.db, id);
    await forgetReviews(ctx.db, id);
    await endAgreements(ctx.db, id, { kind: "command", by: "account erase", reason: "erased" });
  }
  await eraseName(ctx, ids);
  await forgetFreedOutputs(ctx.db);
  return { kind: "erased", counts, kept: await countFreedOutputs(ctx.db, ids) };
}

/**
 * Its people, and what else is under its forwarding row: the audit of its people, and keys from before a
 * move.
 */
async function eraseInDirectory(
  { directory }: ErasureContext,
  id: AccountId,
  counts: Counts,
): Promise<void> {
  counts.people += await erasePeople(directory.db, id);
  if (directory.shard !== null) return;
  counts.audit += await eraseAudit(directory.db, id);
  await eraseKeys(directory.db, id);
}

/** The rows stay: the holds of the ledger are theirs. */
async function eraseTasks(
  ctx: ErasureContext,
  accountId: AccountId,
  counts: Counts,
): Promise<void> {
  let after: TaskId | null = null;
  for (;;) {
    const tasks = await listTaskObjects(ctx.db, accountId, after, rowsMax);
    const objectKeys = tasks.flatMap((task) => task.objectKeys);
    await dropObjects(ctx, objectKeys);
    const ids: TaskId[] = tasks.map(({ id }) => id);
    await blankTasks(ctx.db, ids);
    counts.tasks += tasks.length;
    counts.files += objectKeys.length;
    after = ids.at(-1) ?? null;
    if (tasks.length < rowsMax) return;
  }
}

/** Erases everything that is stored in its rows. Returns their number. */
async function eraseRows(
  ctx: ErasureContext,
  accountId: AccountId,
  counts: Counts,
): Promise<number> {
  const { db } = ctx;
  const found = {
    assets: await eraseAssets(ctx, accountId, counts),
    uploads: await eraseUploads(ctx, accountId),
    endpoints: await eraseEndpoints(db, accountId), // before the deliveries: none is queued after them
    deliveries: await eraseDeliveries(db, accountId),
    events: await eraseEvents(db, accountId),
    "idempotency-keys": await deleteIdempotencyKeys(db, accountId),
  };
  let rows = 0;
  for (const [what, count] of Object.entries(found)) {
    counts[what as keyof typeof found] += count;
    rows += count;
  }
  return rows;
}

async function eraseAssets(
  ctx: ErasureContext,
  accountId: AccountId,
  counts: Counts,
): Promise<number> {
  for (let erased = 0; ; ) {
    const assets = await endAssets(ctx.db, accountId, rowsMax);
    for (const { vendorAssetId } of assets)
      if (vendorAssetId !== null) ctx.onVendorAsset(vendorAssetId);
    const objectKeys = assets.flatMap(({ storageKey, formKey }) => [
      ...(storageKey === null ? [] : [storageKey]),
      ...(formKey === null ? [] : [formKey]),
    ]);
    await dropObjects(ctx, objectKeys);
    const ids = assets.map(({ id }) => id);
    await deleteAssets(ctx.db, ids);
    counts.files += objectKeys.length;
    erased += ids.length;
    if (ids.length < rowsMax) return erased;
  }
}

/** The bytes go now; the record of them stays until no link can bring one back, and is collected then. */
async function eraseUploads(
  { db, storage }: ErasureContext,
  accountId: AccountId,
): Promise<number> {
  for (let erased = 0; ; ) {
    const uploads = await listUploads(db, accountId, rowsMax);
    for (const { id, chunkStem } of uploads) {
      for (const key of (await storage.listChunks(chunkStem)).keys()) await storage.remove(key);
      await deleteUpload(db, id);
    }
    erased += uploads.length;
    if (uploads.length < rowsMax) return erased;
  }
}
