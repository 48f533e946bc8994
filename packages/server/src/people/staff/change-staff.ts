import { lockAccount } from "../../accounts/queries.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { DirectoryContext } from "../../context.ts";
import { type DirectoryDb, type DirectoryTx, inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import {
  type AccountId,
  type Actor,
  type LinkId,
  type PersonId,
  personOf,
  type StaffRole,
} from "../../ids.ts";
import type { InvitationMail } from "../invitation-mail.ts";
import { insertLink, mailLink, tokenByHand } from "../links.ts";
import { findPerson } from "../queries.ts";
import { notifyOperators } from "./notify-operators.ts";
import {
  deleteStaff,
  deleteStaffInvitation,
  deleteStaffInvitationsBy,
  deleteStaffInvitationsTo,
  findWaitingInvitation,
  listStaff,
  listStaffInvitations,
  lockStaff,
  markApproved,
  staffMax,
  updateStaff,
} from "./queries.ts";
import { revokeServiceKeysOf } from "./service-keys/queries.ts";

interface Invitation {
  email: string;
  role: StaffRole;
  ownedAccountId?: AccountId | null;
}

/** The way in which an invitation is delivered. */
interface Delivery {
  /** Whether no mail is sent and the caller hands the token over. */
  asLink: boolean;
}

/**
 * Invites somebody to the deployment. Where there are two operators or more, another one has to approve a
 * further one: until then it is not mailed and has no token.
 */
export async function inviteStaff(
  ctx: Pick<DirectoryContext, "db" | "config">,
  actor: Actor,
  invitation: Invitation,
  { asLink }: Delivery,
): Promise<{
  invitationId: LinkId;
  awaitsApproval: boolean;
  mail: InvitationMail;
  token?: string;
}> {
  return inTransaction(ctx.db, async (tx) => {
    const awaitsApproval = invitation.role === "operator" && (await needsApproval(tx));
    const invitationId = await insertInvitation(tx, actor, invitation, { awaitsApproval, asLink });
    await notifyInvited(tx, actor, invitation);
    const made = { invitationId, awaitsApproval };
    if (asLink && !awaitsApproval)
      return { ...made, mail: "link", ...(await tokenByHand(tx, invitationId)) };
    const { email } = invitation;
    if (!awaitsApproval) await mailLink(tx, { linkId: invitationId, kind: "staff", email });
    return { ...made, mail: ctx.config.mail.smtpUrl === null ? "off" : "waiting" };
  });
}

const operatorsAlone = 1;

/**
 * Whether a new operator needs approval. With one operator there is nobody who could approve; an operator who
 * was invited already counts.
 */
async function needsApproval(tx: DirectoryTx): Promise<boolean> {
  await lockStaff(tx);
  const all = [...(await listStaff(tx)), ...(await listStaffInvitations(tx))];
  return all.filter(({ role }) => role === "operator").length > operatorsAlone;
}

/** Approves the invitation of an operator. `requireSecond` refuses who may not. */
export async function approveInvitation(
  ctx: { db: DirectoryDb },
  actor: Actor,
  { id, asLink }: Delivery & { id: LinkId },
  requireSecond: (tx: DirectoryTx, invitedBy: PersonId | null) => Promise<void>,
): Promise<{ token?: string }> {
  return inTransaction(ctx.db, async (tx) => {
    const waiting = await findWaitingInvitation(tx, id);
    if (waiting === undefined) throw new ApiError("invitation_not_found");
    await requireSecond(tx, waiting.invitedBy);
    await markApproved(tx, id);
    const { email, role } = waiting;
    await notifyOperators(tx, actor, { kind: "operatorApproved", email });
    const change = { accountId: null, action: "staff.approve_invitation", object: id } as const;
    await recordAudit(tx, actor, {
      ...change,
      after: { email, role, asLink: asLink || undefined },
    });
    if (asLink) return tokenByHand(tx, id);
    await mailLink(tx, { linkId: id, kind: "staff", email });
    return {};
  });
}

/** Invites without a mail: for the first operator, before there is anybody who could invite. */
export async function inviteStaffByHand(
  ctx: { db: DirectoryDb },
  actor: Actor,
  invitation: Invitation,
): Promise<{ token: string }> {
  return inTransaction(ctx.db, async (tx) => {
    const linkId = await insertInvitation(tx, actor, invitation);
    await notifyInvited(tx, actor, invitation);
    return tokenByHand(tx, linkId);
  });
}

async function notifyInvited(
  tx: DirectoryTx,
  actor: Actor,
  { email, role }: Invitation,
): Promise<void> {
  if (role === "operator") await notifyOperators(tx, actor, { kind: "operatorInvited", email });
}

async function insertInvitation(
  tx: DirectoryTx,
  actor: Actor,
  invitation: Invitation,
  { awaitsApproval = false, asLink = false } = {},
) {
  const { email, role, ownedAccountId = null } = invitation;
  if (ownedAccountId !== null && (await lockAccount(tx, ownedAccountId))?.isTest !== false)
    throw new ApiError("account_not_found");
  await lockStaff(tx);
  const staff = await listStaff(tx);
  const isThere = (one: { email: string; role: StaffRole }) =>
    one.email.toLowerCase() === email.toLowerCase() &&
    (one.role === "operator" || role !== "operator");
  if (staff.some(isThere)) throw new ApiError("already_member");
  await deleteStaffInvitationsTo(tx, email);
  if (staff.length + (await listStaffInvitations(tx)).length >= staffMax)
    throw new ApiError("too_many_members");
  const createdBy = personOf(actor);
  const purpose = { kind: "staff", role, createdBy, ownedAccountId } as const;
  const linkId = await insertLink(tx, email, purpose, { awaitsApproval });
  const change = { accountId: null, action: "staff.invite", object: linkId } as const;
  await recordAudit(tx, actor, {
    ...change,
    after: { email, role, ownedAccountId, awaitsApproval, asLink: asLink || undefined },
  });
  return linkId;
}

export async function changeStaff(
  ctx: DirectoryContext,
  actor: Actor,
  personId: PersonId,
  role: StaffRole,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (role !== "operator") await deleteStaffInvitationsBy(tx, personId); // before the lock, which joining needs as well
    const before = await lockOne(tx, personId, role);
    if (before === role) return;
    const revokedKeys = role === "operator" ? [] : await revokeServiceKeysOf(tx, personId);
    if (role === "operator" && (await needsApproval(tx)))
      throw new ApiError("second_person_needed", {
        message: {
          en: "Another operator has to approve a further one. Invite this person as an operator: the invitation waits for the approval.",
          zh: "新增运营人员须由另一位运营人员批准。请邀请此人担任运营人员，邀请会等待批准。",
        },
      });
    await updateStaff(tx, personId, { role, by: personOf(actor) });
    await notifyChanged(tx, actor, personId, { before, after: role });
    const change = { accountId: null, action: "staff.change", object: personId } as const;
    await recordAudit(tx, actor, {
      ...change,
      before: { role: before },
      after: { role, ...auditedKeys(revokedKeys) },
    });
  });
}

const auditedKeys = (revokedKeys: string[]) => (revokedKeys.length === 0 ? {} : { revokedKeys });

export async function removeStaff(
  ctx: Pick<DirectoryContext, "db">,
  actor: Actor,
  personId: PersonId,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await deleteStaffInvitationsBy(tx, personId); // before the lock, which joining needs as well
    const before = await lockOne(tx, personId, null);
    const revokedKeys = await revokeServiceKeysOf(tx, personId);
    await deleteStaff(tx, personId);
    await notifyChanged(tx, actor, personId, { before, after: null });
    const change = { accountId: null, action: "staff.remove", object: personId } as const;
    await recordAudit(tx, actor, {
      ...change,
      before: { role: before },
      after: revokedKeys.length === 0 ? undefined : { revokedKeys },
    });
  });
}

/** Notifies of a change, including the person who is no longer an operator. */
async function notifyChanged(
  tx: DirectoryTx,
  actor: Actor,
  personId: PersonId,
  { before, after }: { before: StaffRole; after: StaffRole | null },
): Promise<void> {
  if (before !== "operator" && after !== "operator") return;
  const person = await findPerson(tx, personId);
  if (person === undefined) return;
  const kind = after === null ? "operatorRemoved" : "operatorDemoted";
  const notice = {
    kind: after === "operator" ? "operatorAdded" : kind,
    email: person.email,
  } as const;
  await notifyOperators(tx, actor, notice, [person]);
}

export async function revokeStaffInvitation(
  ctx: DirectoryContext,
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
async function lockOne(
  tx: DirectoryTx,
  personId: PersonId,
  next: StaffRole | null,
): Promise<StaffRole> {
  await lockStaff(tx);
  const staff = await listStaff(tx);
  const role = staff.find((one) => one.personId === personId)?.role;
  if (role === undefined) throw new ApiError("person_not_found");
  const operators = staff.filter((one) => one.role === "operator");
  if (role === "operator" && next !== "operator" && operators.length < 2)
    throw new ApiError("last_owner");
  return role;
}
