import assert from "node:assert";
import { createAccount } from "../../accounts/create-account.ts";
import type { Actor } from "../../actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Place } from "../../context.ts";
import { inTransaction, type Tx } from "../../db/database.ts";
import type { PriceSchedule } from "../../db/tables/accounts.ts";
import type { AccountId } from "../../ids.ts";
import type { KeyRing } from "../../key-ring.ts";
import { insertMember } from "../../people/members/queries.ts";

/**
 * Creates an account without keys and credits, whose only person can be whoever creates it. The secret
 * is not shown again by this API.
 */
export async function openAccount(
  ctx: Place & { keyRing: KeyRing | null },
  actor: Actor,
  input: { name: string; priceSchedule?: PriceSchedule; openTasksMax?: number; asOwner?: boolean },
): Promise<{ accountId: AccountId; webhookSecret: string }> {
  const { asOwner = false } = input;
  const isHome = ctx.config.database.shard === 0;
  const created = await inTransaction(ctx.db, async (tx) => {
    const account = await createAccount({ ...ctx, db: tx }, input);
    await recordAudit(tx, actor, {
      accountId: account.accountId,
      action: "account.create",
      object: account.accountId,
      after: {
        name: input.name,
        priceSchedule: input.priceSchedule ?? null,
        openTasksMax: input.openTasksMax ?? null,
      },
    });
    if (asOwner && isHome) await joinAsOwner(tx, actor, account.accountId);
    return account;
  });
  // Members are at home. If this fails the account has no owner, and operators can invite one.
  if (asOwner && !isHome)
    await inTransaction(ctx.home.db, (tx) => joinAsOwner(tx, actor, created.accountId));
  return created;
}

async function joinAsOwner(tx: Tx, actor: Actor, accountId: AccountId): Promise<void> {
  assert(actor.kind === "person", "only a person can own an account");
  const { personId } = actor;
  await insertMember(tx, { accountId, personId, role: "owner" });
  await recordAudit(tx, actor, {
    ...{ accountId, action: "member.join", object: personId, after: { role: "owner" } },
  });
}
