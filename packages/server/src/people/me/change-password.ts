import { recordAudit } from "../../audit/record-audit.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import type { PeopleContext } from "../context.ts";
import { newDeviceToken } from "../device.ts";
import { deleteLinksOf, findLink, takeLink } from "../links.ts";
import { requireStrong } from "../password-rules.ts";
import { findPerson, linkPassword, updatePerson } from "../queries.ts";
import { personActor, type RequestFacts } from "../request-facts.ts";
import { deleteOtherSessions, type Session } from "../session-queries.ts";
import { deleteWays, listWays, type Way } from "../ways-to-sign-in.ts";
import { queueNotice } from "./queue-notice.ts";
import { requirePassword } from "./require-password.ts";

/** Changes the password and ends all other sessions. */
export async function changePassword(
  ctx: PeopleContext,
  session: Session,
  body: { currentPassword?: string | undefined; newPassword: string },
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

/** Queues a mail with a link, which is sent if a person has the address. The response is always the same. */
export async function requestReset(
  ctx: PeopleContext,
  email: string,
  { network }: RequestFacts,
): Promise<void> {
  ctx.guesses.takeMail(network);
  const content = { kind: "password-reset" } as const;
  await queueMail(ctx.db, { recipient: email, content, hoursMax: 1 });
}

/**
 * Sets a new password by a link that was mailed, and ends all sessions. Passkeys and company sign-ins of
 * the last 30 days are deleted too, since somebody who had a session meanwhile may have added them. The
 * browser is a known one from then on.
 */
export async function resetPassword(
  ctx: PeopleContext,
  { token, password }: { token: string; password: string },
  facts: RequestFacts,
): Promise<{ deviceToken: string; removed: Way[]; kept: Way[] }> {
  const link = await findLink(ctx.db, token);
  if (link?.kind !== "password") throw new ApiError("link_invalid");
  const person = await findPerson(ctx.db, link.personId);
  if (person === undefined) throw new ApiError("link_invalid");
  requireStrong("password", password, person.email);
  const hash = await ctx.passwords.hash(password, facts.network);
  const ways = await inTransaction(ctx.db, async (tx) => {
    await takeLink(tx, token, ["password"]);
    await linkPassword(tx, person.id, hash);
    const removed = await deleteWays(tx, person.id, "recent");
    await deleteOtherSessions(tx, person.id, null);
    await deleteLinksOf(tx, person.id, ["password", "email"]);
    await queueNotice(ctx, tx, person, "password");
    const actor = personActor(person.id, facts);
    const change = { accountId: null, action: "person.reset_password", object: person.id } as const;
    const after = { removed: removed.map(({ kind, id }) => `${kind} ${id}`) };
    await recordAudit(tx, actor, { ...change, after });
    return { removed, kept: await listWays(tx, person.id) };
  });
  return { deviceToken: newDeviceToken(ctx.config.links.secret, person.email), ...ways };
}
