import type { Actor } from "../../actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { findGrantByKey, type GrantRow, insertGrant } from "../../credits/grant-queries.ts";
import { postCorrection } from "../../credits/ledger.ts";
import { type Db, inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { type AccountId, newId, shardOf, type TransferId } from "../../ids.ts";
import { requireOpenAccount } from "../accounts/require-account.ts";
import { storedActor } from "../actor.ts";

export interface GrantInput {
  accountId: AccountId;
  kind: "grant" | "adjust";
  /** Negative for an adjustment that deducts. */
  credits: number;
  /** Also the note of the transfer, which the account sees. */
  reason: string;
  /** The same key asks for the same grant again. */
  idempotencyKey?: string | undefined;
}

/**
 * Grants or adjusts at once, or has it wait for a second person where it moves more credits than one
 * person may.
 */
export async function askGrant(
  { db, approvalAbove }: { db: Db; approvalAbove: number | null },
  actor: Actor,
  input: GrantInput,
): Promise<{ grantId: TransferId; status: GrantRow["status"] }> {
  const { accountId, kind, credits, reason, idempotencyKey = null } = input;
  const by = storedActor(actor);
  return inTransaction(db, async (tx) => {
    const account = await requireOpenAccount(tx, accountId);
    if (idempotencyKey !== null) {
      const earlier = await findGrantByKey(tx, accountId, idempotencyKey);
      if (earlier !== undefined) return answerAgain(earlier, input);
    }
    requireCover(account, credits);
    const id = newId<TransferId>(shardOf(accountId));
    const needsSecond = approvalAbove !== null && Math.abs(credits) > approvalAbove;
    const status = needsSecond ? "pending" : "posted";
    await insertGrant(tx, {
      ...{ id, accountId, kind, credits, reason, status, idempotencyKey },
      ...{ askedKind: by.kind, askedBy: by.name },
    });
    if (!needsSecond) await postCorrection(tx, { id, kind, accountId, credits, note: reason });
    await recordAudit(tx, actor, {
      accountId,
      action: needsSecond ? "credits.ask" : `credits.${kind}`,
      object: id,
      after: { kind, credits, status },
      reason,
    });
    return { grantId: id, status };
  });
}

/** The account's row is locked: what is available stays so. */
export function requireCover({ credits: settled, held }: Balance, credits: number): void {
  if (settled + credits < held)
    throw new ApiError("balance_too_low", {
      message: `The adjustment takes ${-credits} credits, but only ${settled - held} are available. Deduct less, or wait until running tasks have ended.`,
    });
}

type Balance = Awaited<ReturnType<typeof requireOpenAccount>>;

function answerAgain(earlier: GrantRow, { kind, credits, reason }: GrantInput) {
  const isSame = earlier.kind === kind && earlier.credits === credits && earlier.reason === reason;
  if (!isSame) throw new ApiError("idempotency_key_reused");
  return { grantId: earlier.id, status: earlier.status };
}
