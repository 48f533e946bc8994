import assert from "node:assert";
import { createAccount } from "../../accounts/create-account.ts";
import type { Actor } from "../../actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { type Db, inTransaction, type Tx } from "../../db/database.ts";
import type { PriceSchedule } from "../../db/tables/accounts.ts";
import type { AccountId } from "../../ids.ts";
import type { KeyRing } from "../../key-ring.ts";
import { insertMember } from "../../people/members/queries.ts";

/**
 * Creates an account without keys and credits, whose only person can be whoever creates it. The secret
 * is not shown again by this API.
 */
export async function openAccount(
  { db, keyRing }: { db: Db; keyRing: KeyRing | null },
  actor: Actor,
  input: { name: string; priceSchedule?: PriceSchedule; openTasksMax?: number; asOwner?: boolean },
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
    if (input.asOwner === true) await joinAsOwner(tx, actor, created.accountId);
    return created;
  });
}

async function joinAsOwner(tx: Tx, actor: Actor, accountId: AccountId): Promise<void> {
  assert(actor.kind === "person", "only a person can own an account");
  const { personId } = actor;
  await insertMember(tx, { accountId, personId, role: "owner" });
  await recordAudit(tx, actor, {
    ...{ accountId, action: "member.join", object: personId, after: { role: "owner" } },
  });
}
