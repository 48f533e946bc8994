import { recordAudit } from "../../audit/record-audit.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import type { PeopleContext } from "../context.ts";
import { newDeviceToken } from "../device.ts";
import { deleteLinksOf, findLink, takeLink } from "../links.ts";
import { requireStrong } from "../password-rules.ts";
import { findPerson, updatePerson } from "../queries.ts";
import { personActor, type RequestFacts } from "../request-facts.ts";
import { deleteOtherSessions, type Session } from "../session-queries.ts";
import { queueNotice } from "./queue-notice.ts";
import { requirePassword } from "./require-password.ts";

/** Changes the password and ends all other sessions. */
export async function changePassword(
  ctx: PeopleContext,
  session: Session,
  body: { currentPassword: string; newPassword: string },
  facts: RequestFacts,
): Promise<void> {
  const { personId } = session;
  const person = await requirePassword(ctx, session, body.currentPassword, facts);
  requireStrong("newPassword", body.newPassword, person.email);
  const hash = await ctx.passwords.hash(body.newPassword, facts.network);
  await inTransaction(ctx.db, async (tx) => {
    await updatePerson(tx, personId, { password_hash: hash });
    const ended = await deleteOtherSessions(tx, personId, session.id);
    await deleteLinksOf(tx, personId, ["password"]);
    await queueNotice(ctx, tx, person, "password");
    const change = { accountId: null, action: "person.change_password", object: personId } as const;
    await recordAudit(tx, personActor(personId, facts), { ...change, after: { ended } });
  });
}

/** Has a link mailed, if the address is somebody's. The answer is the same if it is not. */
export async function requestReset(
  ctx: PeopleContext,
  email: string,
  { network }: RequestFacts,
): Promise<void> {
  ctx.guesses.takeMail(network);
  const content = { kind: "password-reset" } as const;
  await queueMail(ctx.db, { recipient: email, content, hoursMax: 1 });
}

/** Sets a new password by a link that was mailed, and ends all sessions. The browser is a known one from then on. */
export async function resetPassword(
  ctx: PeopleContext,
  { token, password }: { token: string; password: string },
  facts: RequestFacts,
): Promise<{ deviceToken: string }> {
  const link = await findLink(ctx.db, token);
  if (link?.kind !== "password") throw new ApiError("link_invalid");
  const person = await findPerson(ctx.db, link.personId);
  if (person === undefined) throw new ApiError("link_invalid");
  requireStrong("password", password, person.email);
  const hash = await ctx.passwords.hash(password, facts.network);
  await inTransaction(ctx.db, async (tx) => {
    await takeLink(tx, token, ["password"]);
    await updatePerson(tx, person.id, { password_hash: hash });
    await deleteOtherSessions(tx, person.id, null);
    await deleteLinksOf(tx, person.id, ["password", "email"]);
    await queueNotice(ctx, tx, person, "password");
    const actor = personActor(person.id, facts);
    const change = { accountId: null, action: "person.reset_password", object: person.id } as const;
    await recordAudit(tx, actor, change);
  });
  return { deviceToken: newDeviceToken(ctx.config.links.secret, person.email) };
}
