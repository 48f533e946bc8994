import { takeChange } from "../../accounts/allowances.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import type { AccountId, Actor } from "../../ids.ts";
import { readCreditsLow, setCreditsLow } from "./queries.ts";

export async function readAlerts({ db }: Context, accountId: AccountId) {
  return { creditsLow: await readCreditsLow(db, accountId) };
}

/** Sets the balance below which the account is notified. */
export async function changeAlerts(
  { db }: Context,
  actor: Actor,
  accountId: AccountId,
  { creditsLow }: { creditsLow?: number | null | undefined },
) {
  return inTransaction(db, async (tx) => {
    const before = { creditsLow: await readCreditsLow(tx, accountId) };
    if (creditsLow === undefined) return before;
    const after = { creditsLow };
    await setCreditsLow(tx, accountId, creditsLow);
    const change = {
      accountId,
      action: "alerts.change",
      object: accountId,
      before,
      after,
    } as const;
    await takeChange(tx, actor, accountId);
    await recordAudit(tx, actor, change);
    return after;
  });
}
