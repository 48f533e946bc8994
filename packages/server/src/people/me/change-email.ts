import { recordAudit } from "../../audit/record-audit.ts";
import { inTransaction, isUniqueViolation } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { PeopleContext } from "../context.ts";
import { deleteLinksOf, insertLink, mailLink, takeLink } from "../links.ts";
import { findPerson, updatePerson } from "../queries.ts";
import { personActor, type RequestFacts } from "../request-facts.ts";
import { requireFactor } from "../second-factor.ts";
import type { Session } from "../session-queries.ts";
import { queueNotice } from "./queue-notice.ts";
import { requirePassword } from "./require-password.ts";

/** Has a link mailed to the new address: it is the person's only when the link is used. */
export async function requestEmail(
  ctx: PeopleContext,
  session: Session,
  { email, password }: { email: string; password?: string | undefined },
  facts: RequestFacts,
): Promise<void> {
  requireFactor(ctx, session); // a link to the new address could set a password
  ctx.guesses.takeMail(session.personId);
  const { id: personId } = await requirePassword(ctx, session, password, facts);
  await inTransaction(ctx.db, async (tx) => {
    await deleteLinksOf(tx, personId, ["email"]);
    const linkId = await insertLink(tx, email, { kind: "email", personId });
    await mailLink(tx, { linkId, kind: "email", email });
    const change = { accountId: null, action: "person.request_email", object: personId } as const;
    await recordAudit(tx, personActor(personId, facts), change);
  });
}

/**
 * Changes the address, and notifies the old one. Only in a session of the person who asked: a stranger who
 * opens the link must not lend their address to somebody else.
 */
export async function confirmEmail(
  ctx: PeopleContext,
  session: Session,
  token: string,
  facts: RequestFacts,
): Promise<void> {
  requireFactor(ctx, session);
  try {
    await inTransaction(ctx.db, async (tx) => {
      const { personId, email } = await takeLink(tx, token, ["email"]);
      const person = await findPerson(tx, personId);
      if (person === undefined || personId !== session.personId) throw new ApiError("link_invalid");
      await updatePerson(tx, personId, { email });
      await deleteLinksOf(tx, personId, ["password"]); // they went to the old address
      await queueNotice(ctx, tx, person, "email");
      const change = { accountId: null, action: "person.change_email", object: personId } as const;
      await recordAudit(tx, personActor(personId, facts), change);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new ApiError("email_taken");
    throw error;
  }
}
