import { lockAccount } from "../../accounts/queries.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { DirectoryContext } from "../../context.ts";
import { type DirectoryTx, inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { AccountId, Actor, LinkId, MemberRole, PersonId } from "../../ids.ts";
import { noticeTo } from "../me/queue-notice.ts";
import { deleteInvitation, deleteMember, findRole, listMembers, updateRole } from "./queries.ts";

interface Member {
  accountId: AccountId;
  personId: PersonId;
}

export async function changeRole(
  ctx: DirectoryContext,
  actor: Actor,
  { accountId, personId, role }: Member & { role: MemberRole },
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const before = await lockMember(tx, { accountId, personId });
    if (before === role) return;
    if (before === "owner") await requireAnotherOwner(tx, accountId);
    await updateRole(tx, { accountId, personId, role });
    const change = { accountId, action: "member.change", object: personId } as const;
    await recordAudit(tx, actor, { ...change, before: { role: before }, after: { role } });
    if (role === "owner" && actor.kind === "person")
      await noticeTo(ctx, tx, actor.personId, "ownerMade");
  });
}

/**
 * Removes a person from an account, or lets the person leave. The person's rights there end with the next
 * request; keys that the person made stay, and their list says who made them.
 */
export async function removeMember(
  ctx: Pick<DirectoryContext, "db">,
  actor: Actor,
  { accountId, personId }: Member,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const before = await lockMember(tx, { accountId, personId });
    if (before === "owner") await requireAnotherOwner(tx, accountId);
    await deleteMember(tx, accountId, personId);
    const change = { accountId, action: "member.remove", object: personId } as const;
    await recordAudit(tx, actor, { ...change, before: { role: before } });
  });
}

export async function revokeInvitation(
  ctx: DirectoryContext,
  actor: Actor,
  accountId: AccountId,
  invitationId: LinkId,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const before = await deleteInvitation(tx, accountId, invitationId);
    if (before === undefined) throw new ApiError("invitation_not_found");
    const change = { accountId, action: "invitation.revoke", object: invitationId } as const;
    await recordAudit(tx, actor, { ...change, before });
  });
}

/** Locks the account: two owners who demote each other at once leave one. */
async function lockMember(tx: DirectoryTx, { accountId, personId }: Member): Promise<MemberRole> {
  await lockAccount(tx, accountId);
  const role = await findRole(tx, accountId, personId);
  if (role === undefined) throw new ApiError("person_not_found");
  return role;
}

async function requireAnotherOwner(tx: DirectoryTx, accountId: AccountId): Promise<void> {
  const owners = (await listMembers(tx, accountId)).filter(({ role }) => role === "owner");
  if (owners.length < 2) throw new ApiError("last_owner");
}
