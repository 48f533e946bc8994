import type { MemberRole } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { AccountId } from "../../ids.ts";
import { listInvitations, listMembers } from "./queries.ts";

export async function readMembers(ctx: Context, accountId: AccountId) {
  const rows = await listMembers(ctx.db, accountId);
  return { members: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })) };
}

export async function readInvitations(ctx: Context, accountId: AccountId) {
  const rows = await listInvitations(ctx.db, accountId);
  return {
    invitations: rows.map((row) => ({
      ...row,
      role: row.role as MemberRole, // an invitation to an account has one of these
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    })),
  };
}
