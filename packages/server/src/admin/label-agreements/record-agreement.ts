import { createHash } from "node:crypto";
import { recordAudit } from "../../audit/record-audit.ts";
import { type Db, inTransaction } from "../../db/database.ts";
import { ApiError, invalid } from "../../errors.ts";
import { type AccountId, type Actor, type LabelAgreementId, newId, shardOf } from "../../ids.ts";
import { findLabelAgreement, insertAgreement } from "../../labels/agreements/queries.ts";
import { requireOpenAccount } from "../accounts/require-account.ts";
import { storedActor } from "../actor.ts";

export interface AgreementInput {
  agreedBy: string;
  agreedAt: Date;
  text: string;
}

/** Clocks of operators may be ahead. */
const aheadMsMax = 5 * 60_000;

/**
 * Records an agreement that frees an account, and its test account, from the visible label. One is live at
 * a time: end it before another is recorded.
 */
export async function recordAgreement(
  { db }: { db: Db },
  actor: Actor,
  accountId: AccountId,
  { agreedBy, agreedAt, text }: AgreementInput,
): Promise<LabelAgreementId> {
  if (agreedAt.getTime() > Date.now() + aheadMsMax)
    throw invalid("agreedAt", "must not be in the future");
  const id = newId<LabelAgreementId>(shardOf(accountId));
  const by = storedActor(actor);
  await inTransaction(db, async (tx) => {
    const { testOf } = await requireOpenAccount(tx, accountId);
    if (testOf !== null)
      throw invalid("accountId", "is a test account, which has the agreement of its account");
    if ((await findLabelAgreement(tx, accountId)) !== null)
      throw new ApiError("label_agreement_live");
    await insertAgreement(tx, {
      id,
      accountId,
      agreedBy,
      agreedAt,
      text,
      recordedKind: by.kind,
      recordedBy: by.name,
    });
    await recordAudit(tx, actor, {
      accountId,
      action: "label_agreement.record",
      object: id,
      after: {
        agreedBy,
        agreedAt: agreedAt.toISOString(),
        sha256: createHash("sha256").update(text).digest("hex"),
      },
    });
  });
  return id;
}
