import { lockAccount } from "../../accounts/queries.ts";
import type { Actor, MemberRole } from "../../actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { type Db, inTransaction, type Tx } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { AccountId, LinkId } from "../../ids.ts";
import { insertLink, mailLink, tokenByHand } from "../links.ts";
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

/** Invites somebody by mail. An earlier invitation of the same address works no longer. */
export async function inviteMember(
  ctx: { db: Db },
  actor: Actor,
  invitation: Invitation,
): Promise<{ invitationId: LinkId }> {
  return inTransaction(ctx.db, async (tx) => {
    const linkId = await insertInvitation(tx, actor, invitation);
    await mailLink(tx, { linkId, kind: "member", email: invitation.email });
    return { invitationId: linkId };
  });
}

/** The same without a mail: whoever runs the command hands the token over. */
export async function inviteByHand(
  ctx: { db: Db },
  actor: Actor,
  invitation: Invitation,
): Promise<{ token: string }> {
  return inTransaction(ctx.db, async (tx) =>
    tokenByHand(tx, await insertInvitation(tx, actor, invitation)),
  );
}

async function insertInvitation(
  tx: Tx,
  actor: Actor,
  { accountId, email, role }: Invitation,
): Promise<LinkId> {
  const account = await lockAccount(tx, accountId); // so that the limit holds
  if (account === undefined || account.isTest)
    throw new ApiError("person_not_found", { message: "There is no such account." });
  const person = await findPersonByEmail(tx, email);
  if (person !== undefined && (await findRole(tx, accountId, person.id)) !== undefined)
    throw new ApiError("already_member");
  await deleteInvitationsTo(tx, accountId, email);
  const members = await listMembers(tx, accountId);
  const invitations = await listInvitations(tx, accountId);
  if (members.length + invitations.length >= membersMax) throw new ApiError("too_many_members");
  const createdBy = actor.kind === "person" ? actor.personId : null;
  const linkId = await insertLink(tx, email, { kind: "member", accountId, role, createdBy });
  const change = { accountId, action: "invitation.create", object: linkId } as const;
  await recordAudit(tx, actor, { ...change, after: { email, role } });
  return linkId;
}
