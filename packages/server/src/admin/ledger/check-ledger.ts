import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { type Db, inTransaction } from "../../db/database.ts";
import { reasonOf } from "../../db/stuck-rows.ts";
import { ApiError } from "../../errors.ts";
import { type Actor, type LedgerCheckId, newId } from "../../ids.ts";
import { verifyLedger } from "../../ledger-checks/verify-ledger.ts";
import { insertCheck, lockChecks, recordCheck, takeCheck } from "./queries.ts";

/** Asks for a check of the whole ledger. A worker makes it in the background, one at a time. */
export async function askLedgerCheck({ db }: { db: Db }, actor: Actor): Promise<LedgerCheckId> {
  const id = newId<LedgerCheckId>(0);
  await inTransaction(db, async (tx) => {
    if (!(await lockChecks(tx))) throw new ApiError("ledger_check_running");
    await insertCheck(tx, id);
    await recordAudit(tx, actor, { accountId: null, action: "ledger.check", object: id });
  });
  return id;
}

/** Makes a check that was asked for, if there is one. */
export async function makeLedgerCheck(
  { db, pool, log }: Pick<Context, "db" | "pool" | "log">,
  until: AbortSignal,
): Promise<void> {
  const id = await takeCheck(db);
  if (id === null) return;
  try {
    const result = await verifyLedger(pool, until);
    await recordCheck(db, id, result);
    log.info({ event: "ledger.checked", checkId: id, breaches: result.breaches.length });
  } catch (error) {
    await recordCheck(db, id, { failure: reasonOf(error) });
    log.error({ event: "ledger.check.failed", checkId: id, reason: reasonOf(error) });
  }
}
