import type { Actor } from "../../actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { type Db, inTransaction, type Tx } from "../../db/database.ts";
import type { AuditValues } from "../../db/tables/audit.ts";
import { ApiError } from "../../errors.ts";
import {
  type AccountRow,
  findAccount,
  lockLimits,
  setPaused,
  setWeight,
} from "../../vendor-accounts/queries.ts";

/** Submits nothing more to a vendor account; open jobs are polled and collected until they end. */
export async function pauseVendor(
  { db }: { db: Db },
  actor: Actor,
  name: string,
  isPaused: boolean,
  reason?: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const account = await requireVendor(tx, name);
    const wasPaused = account.pausedAt !== null;
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

/** How much of the submits goes to a vendor account; 0: only what the others cannot take. */
export async function weighVendor(
  { db }: { db: Db },
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
      ...{ name, action: "vendor.weigh", before: { weight: before }, after: { weight }, reason },
    });
  });
}

/** Of the database, and not removed; nobody else changes it until the transaction ends. */
async function requireVendor(tx: Tx, name: string): Promise<AccountRow> {
  await lockLimits(tx, name);
  const account = await findAccount(tx, name);
  if (account === undefined || account.removedAt !== null)
    throw new ApiError("vendor_account_not_found");
  return account;
}

async function record(
  tx: Tx,
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
  const why = reason === undefined ? {} : { reason };
  await recordAudit(tx, actor, { accountId: null, object: name, ...rest, ...why });
}
