import { lockAccount } from "../../accounts/queries.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { DirectoryContext } from "../../context.ts";
import { type DirectoryDb, type DirectoryTx, inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { type AccountId, type Actor, type LinkId, type MemberRole, personOf } from "../../ids.ts";
import type { InvitationMail } from "../invitation-mail.ts";
import { insertLink, mailLink, tokenByHand } from "../links.ts";
import { noticeTo } from "../me/queue-notice.ts";
import { findPersonByEmail } from "../queries.ts";
import {
  deleteInvitationsTo,
  findRole,
  listInvitations,
  listMembers,
  membersMax,
} from "./queries.ts";

interface Invitation {
  accountId: AccountId;
  email: string;
  role: MemberRole;
}

/**
 * Invites somebody by mail. An earlier invitation of the same address becomes invalid. The inviter of an
 * owner gets a notice: an owner outlasts the session in which it was invited.
 */
export async function inviteMember(
  ctx: Pick<DirectoryContext, "db" | "config">,
  actor: Actor,
  invitation: Invitation,
): Promise<{ invitationId: LinkId; mail: InvitationMail }> {
  return inTransaction(ctx.db, async (tx) => {
    const linkId = await insertInvitation(tx, actor, invitation);
    await mailLink(tx, { linkId, kind: "member", email: invitation.email });
    const inviter = personOf(actor);
    if (invitation.role === "owner" && inviter !== null)
      await noticeTo(ctx, tx, inviter, "ownerInvited");
    const mail = ctx.config.mail.smtpUrl === null ? "off" : "waiting";
    return { invitationId: linkId, mail };
  });
}

/** Invites somebody without a mail: the inviter hands the token over. */
export async function inviteByHand(
  ctx: { db: DirectoryDb },
  actor: Actor,
  invitation: Invitation,
): Promise<{ invitationId: LinkId; token: string }> {
  return inTransaction(ctx.db, async (tx) => {
    const invitationId = await insertInvitation(tx, actor, invitation, { asLink: true });
    return { invitationId, ...(await tokenByHand(tx, invitationId)) };
  });
}

async function insertInvitation(
  tx: DirectoryTx,
  actor: Actor,
  { accountId, email, role }: Invitation,
  options: { asLink?: true } = {},
): Promise<LinkId> {
  const account = await lockAccount(tx, accountId); // so that the limit holds
  if (account === undefined || account.isTest)
    throw new ApiError("person_not_found", {
      message: { en: "There is no such account.", zh: "没有此账户。" },
    });
  const person = await findPersonByEmail(tx, email);
  if (person !== undefined && (await findRole(tx, accountId, person.id)) !== undefined)
    throw new ApiError("already_member");
  await deleteInvitationsTo(tx, accountId, email);
  const members = await listMembers(tx, accountId);
  const invitations = await listInvitations(tx, accountId);
  if (members.length + invitations.length >= membersMax) throw new ApiError("too_many_members");
  const createdBy = personOf(actor);
  const linkId = await insertLink(tx, email, { kind: "member", accountId, role, createdBy });
  const change = { accountId, action: "invitation.create", object: linkId } as const;
  await recordAudit(tx, actor, { ...change, after: { email, role, ...options } });
  return linkId;
}
