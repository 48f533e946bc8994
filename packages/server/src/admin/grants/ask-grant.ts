import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { findGrantByKey, type GrantRow, insertGrant } from "../../credits/grant-queries.ts";
import { postCorrection } from "../../credits/ledger.ts";
import { needsSecondPerson } from "../../credits/limit-queries.ts";
import { withDirectory } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { withoutUndefined } from "../../http/without-undefined.ts";
import { type AccountId, type Actor, newId, shardOf, type TransferId } from "../../ids.ts";
import { notifyOperators } from "../../people/staff/notify-operators.ts";
import { requireOpenAccount } from "../accounts/require-account.ts";
import { storedActor } from "../actor.ts";

export interface GrantInput {
  accountId: AccountId;
  kind: "grant" | "adjust";
  /** Negative for an adjustment that deducts. */
  credits: number;
  /** The reason, which is also the note of the transfer that the account sees. */
  reason: string;
  /** Of a grant: the time, in epoch milliseconds, from which on what is left of it expires. */
  expiresAt?: number | undefined;
  /** The idempotency key: the same key returns the same grant again. */
  idempotencyKey?: string | undefined;
}

/**
 * Grants or adjusts at once, or has it wait for a second person where it moves more credits than one
 * person may in a day, or than one account may get that way.
 */
export async function askGrant(
  ctx: Pick<Context, "db" | "directory">,
  actor: Actor,
  input: GrantInput,
): Promise<{ grantId: TransferId; status: GrantRow["status"] }> {
  const { accountId, kind, credits, reason, idempotencyKey = null } = input;
  const creditsExpireAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
  const by = storedActor(actor);
  return withDirectory(ctx, async (tx, inDirectory) => {
    const account = await requireOpenAccount(tx, accountId);
    if (idempotencyKey !== null) {
      const earlier = await findGrantByKey(tx, accountId, idempotencyKey);
      if (earlier !== undefined) return answerAgain(earlier, input);
    }
    requireCover(account, credits);
    requireFuture(creditsExpireAt);
    const id = newId<TransferId>(shardOf(accountId));
    const needsSecond = await needsSecondPerson(tx, { accountId, credits, by });
    const status = needsSecond ? "pending" : "posted";
    await insertGrant(tx, {
      id,
      accountId,
      kind,
      credits,
      reason,
      status,
      idempotencyKey,
      creditsExpireAt,
      askedKind: by.kind,
      askedBy: by.name,
    });
    if (!needsSecond)
      await postCorrection(tx, {
        id,
        kind,
        accountId,
        credits,
        note: reason,
        expiresAt: creditsExpireAt,
      });
    await recordAudit(tx, actor, {
      accountId,
      action: needsSecond ? "credits.ask" : `credits.${kind}`,
      object: id,
      after: withoutUndefined({ kind, credits, status, expiresAt: input.expiresAt }),
      reason,
    });
    const notice = { kind: "grantWaits", credits, accountId, reason } as const;
    if (needsSecond) await inDirectory((directory) => notifyOperators(directory, actor, notice));
    return { grantId: id, status };
  });
}

/** The account's row is locked: what is available stays so. */
export function requireCover({ credits: settled, held }: Balance, credits: number): void {
  if (settled + credits < held)
    throw new ApiError("balance_too_low", {
      message: {
        en: `The adjustment takes ${-credits} credits, but only ${settled - held} are available. Deduct less, or wait until running tasks have ended.`,
        zh: `此调整要扣除 ${-credits} 积分，但只有 ${settled - held} 积分可用。请减少扣除数量，或等待运行中的任务结束。`,
      },
    });
}

type Balance = Awaited<ReturnType<typeof requireOpenAccount>>;

/** What has expired before it is granted would be nothing. */
function requireFuture(expiresAt: Date | null): void {
  if (expiresAt !== null && expiresAt.getTime() <= Date.now())
    throw new ApiError("invalid_parameters", {
      param: "expiresAt",
      message: "expiresAt: must be in the future",
    });
}

function answerAgain(earlier: GrantRow, { kind, credits, reason, expiresAt }: GrantInput) {
  const isSame =
    earlier.kind === kind &&
    earlier.credits === credits &&
    earlier.reason === reason &&
    (earlier.creditsExpireAt?.getTime() ?? undefined) === expiresAt;
  if (!isSame) throw new ApiError("idempotency_key_reused");
  return { grantId: earlier.id, status: earlier.status };
}
