import { recordAudit } from "../../audit/record-audit.ts";
import { type Db, inTransaction, type Tx } from "../../db/database.ts";
import { ApiError, invalid } from "../../errors.ts";
import type { AccountId, Actor, KeyId } from "../../ids.ts";
import { takeChange } from "../allowances.ts";
import { type KeyLimits, lockAccountHere } from "../queries.ts";
import { auditedLimits, requireFuture, requireKey, requireOwn } from "./issue-key.ts";
import { type KeyRow, sumHeldBy, updateKey } from "./queries.ts";
import { requireWithin } from "./within-limits.ts";

/**
 * Changes what is given of a key; the rest stays. Budget and expiry apply to new tasks at once; what
 * requests are admitted by is cached for 5 s.
 */
export async function changeKey(
  { db }: { db: Db },
  actor: Actor,
  accountId: AccountId,
  { keyId, ...changes }: { keyId: KeyId; name?: string } & Partial<KeyLimits>,
): Promise<KeyRow> {
  if (changes.expiresAt !== undefined) requireFuture(changes.expiresAt);
  return inTransaction(db, async (tx) => {
    const { accountId: ofAccount } = await requireKey(tx, accountId, keyId);
    // The lock under which tasks are accepted and finished: what is used stays as it is read.
    if ((await lockAccountHere(tx, ofAccount)) === undefined) throw new ApiError("unauthorized");
    const before = await requireKey(tx, accountId, keyId);
    const after = { ...before, ...changes };
    if (actor.kind === "key") requireWithin(await requireOwn(tx, accountId, actor.keyId), after);
    const creditsUsed = await readUsed(tx, before, after);
    const isNewBudget = after.creditsMax !== before.creditsMax;
    await updateKey(tx, keyId, { ...after, creditsUsed, isNewBudget });
    await takeChange(tx, actor, accountId);
    await recordAudit(tx, actor, {
      accountId,
      action: "key.change",
      object: keyId,
      before: { name: before.name, ...auditedLimits(before) },
      after: { name: after.name, ...auditedLimits(after) },
    });
    return requireKey(tx, accountId, keyId);
  });
}

/**
 * A key without a budget counts nothing. One that gets a budget starts with what its open tasks hold,
 * which they give back if they fail.
 */
async function readUsed(tx: Tx, before: KeyRow, after: KeyRow): Promise<number> {
  if (after.creditsMax === null) return 0;
  const used =
    before.creditsMax === null
      ? await sumHeldBy(tx, before.accountId, before.id)
      : before.creditsUsed;
  if (used > after.creditsMax)
    throw invalid("creditsMax", `must be at least ${used}, which this key has already used`);
  return used;
}
