import { recordAudit } from "../../audit/record-audit.ts";
import { type DirectoryDb, type DirectoryTx, inTransaction } from "../../db/database.ts";
import type { AuditValues } from "../../db/tables/audit.ts";
import { ApiError } from "../../errors.ts";
import type { Actor } from "../../ids.ts";
import {
  findVendorAccount,
  lockLimits,
  markRemoved,
  setLimits,
  setPaused,
  setWeight,
  type VendorAccountRow,
  type VendorLimits,
} from "../../routing/queries.ts";

/** Submits nothing more to a vendor account; open jobs are polled and collected until they end. */
export async function pauseVendor(
  { db }: { db: DirectoryDb },
  actor: Actor,
  name: string,
  isPaused: boolean,
  reason?: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const vendorAccount = await requireVendor(tx, name);
    const wasPaused = vendorAccount.pausedAt !== null;
    if (wasPaused === isPaused) return;
    await setPaused(tx, name, isPaused);
    const action = isPaused ? "vendor.pause" : "vendor.resume";
    await record(tx, actor, {
      name,
      action,
      before: { isPaused: wasPaused },
      after: { isPaused },
      reason,
    });
  });
}

/** Sets the share of the submits that a vendor account gets; 0: only submits that the others cannot take. */
export async function weighVendor(
  { db }: { db: DirectoryDb },
  actor: Actor,
  name: string,
  weight: number,
  reason?: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { weight: before } = await requireVendor(tx, name);
    if (before === weight) return;
    await setWeight(tx, name, weight);
    await record(tx, actor, {
      name,
      action: "vendor.weigh",
      before: { weight: before },
      after: { weight },
      reason,
    });
  });
}

/** Sets how much a vendor account takes at once and in a day. */
export async function limitVendor(
  { db }: { db: DirectoryDb },
  actor: Actor,
  name: string,
  limits: VendorLimits,
  reason?: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { openJobsMax, creditsPerDayMax } = await requireVendor(tx, name);
    const before = { openJobsMax, creditsPerDayMax };
    const after = { ...before, ...limits };
    await setLimits(tx, name, limits);
    await record(tx, actor, { name, action: "vendor.limit", before, after, reason });
  });
}

/** Submits nothing more there, for good. The key is deleted once no job is open there. */
export async function removeVendor(
  { db }: { db: DirectoryDb },
  actor: Actor,
  name: string,
  reason?: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { kind, weight } = await requireVendor(tx, name);
    await markRemoved(tx, name);
    const change = { accountId: null, action: "vendor.remove", object: name } as const;
    await recordAudit(tx, actor, { ...change, before: { kind, weight }, reason });
  });
}

/** Returns an account of the database that is not removed, locked until the transaction ends. */
async function requireVendor(tx: DirectoryTx, name: string): Promise<VendorAccountRow> {
  await lockLimits(tx, name);
  const vendorAccount = await findVendorAccount(tx, name);
  if (vendorAccount === undefined || vendorAccount.removedAt !== null)
    throw new ApiError("vendor_account_not_found");
  return vendorAccount;
}

async function record(
  tx: DirectoryTx,
  actor: Actor,
  change: {
    name: string;
    action: `vendor.${string}`;
    before: AuditValues;
    after: AuditValues;
    reason: string | undefined;
  },
): Promise<void> {
  const { name, reason, ...rest } = change;
  await recordAudit(tx, actor, { accountId: null, object: name, ...rest, reason });
}
