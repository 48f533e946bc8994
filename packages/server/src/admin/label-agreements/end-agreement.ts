import { recordAudit } from "../../audit/record-audit.ts";
import { type Db, inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { AccountId, Actor, LabelAgreementId } from "../../ids.ts";
import { endAgreements, findAgreement } from "../../labels/agreements/queries.ts";
import { requireOpenAccount } from "../accounts/require-account.ts";
import { storedActor } from "../actor.ts";

/** Ends an agreement, which stays on record. Again has no effect, and leaves no trace. */
export async function endAgreement(
  { db }: { db: Db },
  actor: Actor,
  accountId: AccountId,
  { agreementId, reason }: { agreementId: LabelAgreementId; reason: string },
): Promise<void> {
  const { kind, name } = storedActor(actor);
  await inTransaction(db, async (tx) => {
    await requireOpenAccount(tx, accountId);
    if ((await findAgreement(tx, accountId, agreementId)) === undefined)
      throw new ApiError("label_agreement_not_found");
    const ended = await endAgreements(tx, accountId, { id: agreementId, kind, by: name, reason });
    if (ended === 0) return;
    await recordAudit(tx, actor, {
      accountId,
      action: "label_agreement.end",
      object: agreementId,
      before: { isLive: true },
      after: { isLive: false },
      reason,
    });
  });
}
