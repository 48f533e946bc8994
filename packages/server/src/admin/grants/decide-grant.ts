import type { Actor } from "../../actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { findGrant, markDecided } from "../../credits/grant-queries.ts";
import { postCorrection } from "../../credits/ledger.ts";
import { type Db, inTransaction, type Tx } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { TransferId } from "../../ids.ts";
import { requireOpenAccount } from "../accounts/require-account.ts";
import { storedActor } from "../actor.ts";
import { requireCover } from "./ask-grant.ts";

/**
 * Approves or rejects a pending grant: one guarded update, and the posting with it. Of several at once
 * one succeeds; the transfer's id is the grant's, so the ledger itself would refuse a second posting.
 */
export async function decideGrant(
  { db }: { db: Db },
  actor: Actor,
  grantId: TransferId,
  { isApproved, reason }: { isApproved: boolean; reason?: string | undefined },
): Promise<void> {
  const by = storedActor(actor);
  const status = isApproved ? "posted" : "rejected";
  await inTransaction(db, async (tx) => {
    const grant = await markDecided(tx, grantId, { status, kind: by.kind, by: by.name });
    if (grant === undefined) throw await refusalOf(tx, grantId);
    const { accountId, kind, credits } = grant;
    if (isApproved) {
      requireCover(await requireOpenAccount(tx, accountId), credits);
      await postCorrection(tx, { id: grantId, kind, accountId, credits, note: grant.reason });
    }
    await recordAudit(tx, actor, {
      accountId,
      action: isApproved ? "credits.approve" : "credits.reject",
      object: grantId,
      before: { status: "pending" },
      after: { kind, credits, status },
      ...(reason === undefined ? {} : { reason }),
    });
  });
}

/** Why it could not be decided. */
async function refusalOf(tx: Tx, grantId: TransferId): Promise<ApiError> {
  const grant = await findGrant(tx, grantId);
  if (grant === undefined) return new ApiError("grant_not_found");
  return new ApiError(grant.status === "pending" ? "second_person_needed" : "grant_decided");
}
