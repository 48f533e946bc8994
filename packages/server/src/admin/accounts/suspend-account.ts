import { setSuspended } from "../../accounts/staff-queries.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { type Db, inTransaction } from "../../db/database.ts";
import type { AccountId, Actor } from "../../ids.ts";
import { requireOpenAccount } from "./require-account.ts";

/**
 * Suspends the account and its test account: nothing new is accepted, because `accept_tasks` reads the
 * state under the lock that this takes. Running tasks finish and are delivered.
 */
export async function suspendAccount(
  { db }: { db: Db },
  actor: Actor,
  accountId: AccountId,
  reason: string,
): Promise<void> {
  await setState(db, actor, accountId, { reason });
}

export async function resumeAccount(
  { db }: { db: Db },
  actor: Actor,
  accountId: AccountId,
  reason: string,
): Promise<void> {
  await setState(db, actor, accountId, null, reason);
}

/** Again has no effect, and leaves no trace. */
async function setState(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  suspended: { reason: string } | null,
  reason = suspended?.reason,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const account = await requireOpenAccount(tx, accountId);
    const wasSuspended = account.suspendedAt !== null;
    const isSuspended = suspended !== null;
    if (wasSuspended === isSuspended) return;
    await setSuspended(tx, accountId, suspended);
    await recordAudit(tx, actor, {
      accountId,
      action: isSuspended ? "account.suspend" : "account.resume",
      object: accountId,
      before: { isSuspended: wasSuspended },
      after: { isSuspended },
      reason,
    });
  });
}
