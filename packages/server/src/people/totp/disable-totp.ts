import { recordAudit } from "../../audit/record-audit.ts";
import { type DirectoryDb, inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { Actor, PersonId } from "../../ids.ts";
import type { PeopleContext } from "../context.ts";
import { noticeTo } from "../me/queue-notice.ts";
import { findPersonByEmail } from "../queries.ts";
import { personActor, type RequestFacts } from "../request-facts.ts";
import { requireChangeable } from "../staff/require-changeable.ts";
import { deleteTotp, lockTotp } from "./queries.ts";

/** Turns the authenticator app off. */
export async function disableTotp(
  ctx: PeopleContext,
  personId: PersonId,
  facts: RequestFacts,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const row = await lockTotp(tx, personId);
    if (!row?.isConfirmed) throw new ApiError("totp_not_enabled");
    await deleteTotp(tx, personId);
    const actor = personActor(personId, facts);
    await recordAudit(tx, actor, { accountId: null, action: "totp.disable", object: personId });
    await noticeTo(ctx, tx, personId, "totpDisabled");
  });
}

/** Removes the authenticator app of a person who lost the app and the recovery codes. */
export async function removeTotpByHand(
  db: DirectoryDb,
  actor: Actor,
  email: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (person !== undefined) await requireChangeable(tx, actor, person.id);
    if (person === undefined || !(await deleteTotp(tx, person.id)))
      throw new ApiError("totp_not_enabled", {
        message: `Nobody with the address ${email} has an authenticator app.`,
      });
    await recordAudit(tx, actor, { accountId: null, action: "totp.remove", object: person.id });
  });
}
