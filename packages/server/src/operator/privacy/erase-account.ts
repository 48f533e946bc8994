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
import type { Place } from "../../context.ts";
import { eraseGrantReasons } from "../../credits/grant-queries.ts";
import { eraseNotes } from "../../credits/ledger.ts";
import { eraseUsage } from "../../credits/usage-queries.ts";
import { forgetStuckRowsOf } from "../../db/stuck-rows.ts";
import type { AccountId, TaskId } from "../../ids.ts";
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
interface Erasing extends Place {
  storage: Storage;
  /** Told of every asset that a vendor's library has as well, before its id is erased. */
  onVendorAsset(vendorAssetId: string): void;
}

export type Erasure =
  | { kind: "refused"; reason: "missing" | "is a test account" | "another name" }
  /** The account is closed; nothing is erased while a vendor may still be at work for it. */
  | { kind: "open"; tasks: number; upscales: number; until: Date | null }
  | { kind: "erased"; counts: Counts };

type Counts = Record<(typeof counted)[number], number>;
const counted = [
  ...["keys", "tasks", "files", "assets", "uploads"],
  ...["endpoints", "deliveries", "events", "idempotency-keys", "notes", "audit", "usage", "people"],
] as const;

const rowsMax = 200;
/** Requests that were under way when the account was closed may still add something. */
const passesMax = 5;

/**
 * Erases an account and its test account: what they wrote, made and stored, and how they are called.
 * The ledger stays, with the tasks that it is proven by, blank. Files go before the rows that name
 * them and the name goes last, so that a run that was killed is completed by the next one.
 */
export async function eraseAccount(
  world: Erasing,
  accountId: AccountId,
  name: string,
): Promise<Erasure> {
  const ids = await closeAccount(world, accountId, name);
  if (typeof ids === "string") return { kind: "refused", reason: ids };
  const { count: tasks, until } = await countOpenTasks(world.db, ids);
  const upscales = await countUpscales(world.db, ids);
  if (tasks + upscales > 0) return { kind: "open", tasks, upscales, until };
  const counts = Object.fromEntries(counted.map((what) => [what, 0])) as Counts;
  for (const id of ids) {
    await eraseTasks(world, id, counts);
    for (let pass = 1; pass <= passesMax && (await eraseRows(world, id, counts)) > 0; pass++);
    counts.keys += await eraseKeys(world.db, id);
    counts.notes += await eraseNotes(world.db, id);
    counts.notes += await eraseAccountNotes(world.db, id);
    counts.notes += await eraseGrantReasons(world.db, id);
    await eraseAtHome(world, id, counts);
    counts.audit += await eraseAudit(world.db, id);
    counts.usage += await eraseUsage(world.db, id);
    await eraseRequests(world.db, id);
    await forgetStuckRowsOf(world.db, id);
    await forgetTurns(world.db, id);
    await forgetReviews(world.db, id);
  }
  await eraseName(world, ids);
  return { kind: "erased", counts };
}

/** Its people, and what else is under its signpost: the audit of its people, and keys from before a move. */
async function eraseAtHome({ db, home }: Erasing, id: AccountId, counts: Counts): Promise<void> {
  counts.people += await erasePeople(home.db, id);
  if (home.db === db) return;
  counts.audit += await eraseAudit(home.db, id);
  await eraseKeys(home.db, id);
}

/** The rows stay: the holds of the ledger are theirs. */
async function eraseTasks(world: Erasing, accountId: AccountId, counts: Counts): Promise<void> {
  let after: TaskId | null = null;
  for (;;) {
    const tasks = await listTaskObjects(world.db, accountId, after, rowsMax);
    const objectKeys = tasks.flatMap((task) => task.objectKeys);
    await dropObjects(world, objectKeys);
    const ids: TaskId[] = tasks.map(({ id }) => id);
    await blankTasks(world.db, ids);
    counts.tasks += tasks.length;
    counts.files += objectKeys.length;
    after = ids.at(-1) ?? null;
    if (tasks.length < rowsMax) return;
  }
}

/** Everything that goes with its rows. Returns how many there were. */
async function eraseRows(world: Erasing, accountId: AccountId, counts: Counts): Promise<number> {
  const { db } = world;
  const found = {
    assets: await eraseAssets(world, accountId, counts),
    uploads: await eraseUploads(world, accountId),
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

async function eraseAssets(world: Erasing, accountId: AccountId, counts: Counts): Promise<number> {
  for (let erased = 0; ; ) {
    const assets = await endAssets(world.db, accountId, rowsMax);
    for (const { vendorAssetId } of assets)
      if (vendorAssetId !== null) world.onVendorAsset(vendorAssetId);
    const objectKeys = assets.flatMap(({ storageKey, formKey }) => [
      ...(storageKey === null ? [] : [storageKey]),
      ...(formKey === null ? [] : [formKey]),
    ]);
    await dropObjects(world, objectKeys);
    const ids = assets.map(({ id }) => id);
    await deleteAssets(world.db, ids);
    counts.files += objectKeys.length;
    erased += ids.length;
    if (ids.length < rowsMax) return erased;
  }
}

/** The bytes go now; the record of them stays until no link can bring one back, and is collected then. */
async function eraseUploads({ db, storage }: Erasing, accountId: AccountId): Promise<number> {
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
