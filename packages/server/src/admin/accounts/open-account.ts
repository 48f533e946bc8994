import { createAccount } from "../../accounts/create-account.ts";
import type { Actor } from "../../actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { type Db, inTransaction } from "../../db/database.ts";
import type { PriceSchedule } from "../../db/tables/accounts.ts";
import type { AccountId } from "../../ids.ts";
import type { KeyRing } from "../../key-ring.ts";

/** Creates an account without keys, people or credits. The secret is not shown again by this API. */
export async function openAccount(
  { db, keyRing }: { db: Db; keyRing: KeyRing | null },
  actor: Actor,
  input: { name: string; priceSchedule?: PriceSchedule; openTasksMax?: number },
): Promise<{ accountId: AccountId; webhookSecret: string }> {
  return inTransaction(db, async (tx) => {
    const created = await createAccount({ db: tx, keyRing }, input);
    await recordAudit(tx, actor, {
      accountId: created.accountId,
      action: "account.create",
      object: created.accountId,
      after: {
        name: input.name,
        priceSchedule: input.priceSchedule ?? null,
        openTasksMax: input.openTasksMax ?? null,
      },
    });
    return created;
  });
}
