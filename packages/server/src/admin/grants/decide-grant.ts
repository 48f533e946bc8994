import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { findGrant, markDecided } from "../../credits/grant-queries.ts";
import { postCorrection } from "../../credits/ledger.ts";
import { type Tx, withDirectory } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { Actor, TransferId } from "../../ids.ts";
import { notifyOperators } from "../../people/staff/notify-operators.ts";
import { requireSecondPerson } from "../../people/staff/require-second-person.ts";
import { requireOpenAccount } from "../accounts/require-account.ts";
import { storedActor } from "../actor.ts";
import { requireCover } from "./ask-grant.ts";

/**
 * Approves or rejects a pending grant: one guarded update, and the posting with it. Of several concurrent
 * calls one succeeds; the transfer's id is the grant's, so the ledger itself would refuse a second posting.
 */
export async function decideGrant(
  ctx: Pick<Context, "db" | "directory">,
  actor: Actor,
  grantId: TransferId,
  { isApproved, reason }: { isApproved: boolean; reason?: string | undefined },
): Promise<void> {
  const by = storedActor(actor);
  const status = isApproved ? "posted" : "rejected";
  await withDirectory(ctx, async (tx, inDirectory) => {
    const grant = await markDecided(tx, grantId, { status, kind: by.kind, by: by.name });
    if (grant === undefined) throw await refusalOf(tx, grantId);
    const { accountId, kind, credits } = grant;
    if (isApproved) {
      const asked = { kind: grant.askedKind, name: grant.askedBy };
      await inDirectory((directory) => requireSecondPerson(directory, actor, asked, accountId));
      requireCover(await requireOpenAccount(tx, accountId), credits);
      await postCorrection(tx, {
        id: grantId,
        kind,
        accountId,
        credits,
        note: grant.reason,
        expiresAt: grant.creditsExpireAt,
      });
    }
    await recordAudit(tx, actor, {
      accountId,
      action: isApproved ? "credits.approve" : "credits.reject",
      object: grantId,
      before: { status: "pending" },
      after: { kind, credits, status },
      reason,
    });
    if (!isApproved) return;
    const notice = { kind: "grantApproved", credits, accountId, reason: grant.reason } as const;
    await inDirectory((directory) => notifyOperators(directory, actor, notice));
  });
}

/** Returns the reason why it could not be decided. */
async function refusalOf(tx: Tx, grantId: TransferId): Promise<ApiError> {
  const grant = await findGrant(tx, grantId);
  if (grant === undefined) return new ApiError("grant_not_found");
  return new ApiError(grant.status === "pending" ? "second_person_needed" : "grant_decided");
}
