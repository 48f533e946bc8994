import { lockAccount } from "../../accounts/queries.ts";
import type { Actor, StaffRole } from "../../actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { type Db, inTransaction, type Tx } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { AccountId, LinkId, PersonId } from "../../ids.ts";
import { insertLink, mailLink, tokenByHand } from "../links.ts";
import {
  deleteStaff,
  deleteStaffInvitation,
  deleteStaffInvitationsTo,
  listStaff,
  listStaffInvitations,
  lockStaff,
  staffMax,
  updateStaff,
} from "./queries.ts";

interface Invitation {
  email: string;
  role: StaffRole;
  ownedAccountId?: AccountId | null;
}

/** Invites somebody to the deployment by mail. */
export async function inviteStaff(
  ctx: { db: Db },
  actor: Actor,
  invitation: Invitation,
): Promise<{ invitationId: LinkId }> {
  return inTransaction(ctx.db, async (tx) => {
    const linkId = await insertInvitation(tx, actor, invitation);
    await mailLink(tx, { linkId, kind: "staff", email: invitation.email });
    return { invitationId: linkId };
  });
}

/** The same without a mail: for the first operator, before there is anybody who could invite. */
export async function inviteStaffByHand(
  ctx: { db: Db },
  actor: Actor,
  invitation: Invitation,
): Promise<{ token: string }> {
  return inTransaction(ctx.db, async (tx) =>
    tokenByHand(tx, await insertInvitation(tx, actor, invitation)),
  );
}

async function insertInvitation(tx: Tx, actor: Actor, invitation: Invitation) {
  const { email, role, ownedAccountId = null } = invitation;
  if (ownedAccountId !== null && (await lockAccount(tx, ownedAccountId))?.isTest !== false)
    throw new ApiError("account_not_found");
  await lockStaff(tx);
  const staff = await listStaff(tx);
  if (staff.some((one) => one.email.toLowerCase() === email.toLowerCase()))
    throw new ApiError("already_member");
  await deleteStaffInvitationsTo(tx, email);
  if (staff.length + (await listStaffInvitations(tx)).length >= staffMax)
    throw new ApiError("too_many_members");
  const createdBy = actor.kind === "person" ? actor.personId : null;
  const linkId = await insertLink(tx, email, { kind: "staff", role, createdBy, ownedAccountId });
  const change = { accountId: null, action: "staff.invite", object: linkId } as const;
  await recordAudit(tx, actor, { ...change, after: { email, role, ownedAccountId } });
  return linkId;
}

export async function changeStaff(
  ctx: Context,
  actor: Actor,
  personId: PersonId,
  role: StaffRole,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const before = await lockOne(tx, personId, role);
    if (before === role) return;
    await updateStaff(tx, personId, role);
    const change = { accountId: null, action: "staff.change", object: personId } as const;
    await recordAudit(tx, actor, { ...change, before: { role: before }, after: { role } });
  });
}

export async function removeStaff(ctx: Context, actor: Actor, personId: PersonId): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const before = await lockOne(tx, personId, null);
    await deleteStaff(tx, personId);
    const change = { accountId: null, action: "staff.remove", object: personId } as const;
    await recordAudit(tx, actor, { ...change, before: { role: before } });
  });
}

export async function revokeStaffInvitation(
  ctx: Context,
  actor: Actor,
  invitationId: LinkId,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const before = await deleteStaffInvitation(tx, invitationId);
    if (before === undefined) throw new ApiError("invitation_not_found");
    const change = { accountId: null, action: "staff.revoke_invitation", object: invitationId };
    await recordAudit(tx, actor, { ...change, action: "staff.revoke_invitation", before });
  });
}

/** The role that somebody has; one operator must stay. */
async function lockOne(tx: Tx, personId: PersonId, next: StaffRole | null): Promise<StaffRole> {
  await lockStaff(tx);
  const staff = await listStaff(tx);
  const role = staff.find((one) => one.personId === personId)?.role;
  if (role === undefined) throw new ApiError("person_not_found");
  const operators = staff.filter((one) => one.role === "operator");
  if (role === "operator" && next !== "operator" && operators.length < 2)
    throw new ApiError("last_owner");
  return role;
}
