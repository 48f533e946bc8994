import type { MemberRole } from "../../actor.ts";
import type { Db } from "../../db/database.ts";
import type { AccountId } from "../../ids.ts";
import { listInvitations, listMembers } from "./queries.ts";

export async function readMembers({ db }: { db: Db }, accountId: AccountId) {
  const rows = await listMembers(db, accountId);
  return { members: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })) };
}

export async function readInvitations({ db }: { db: Db }, accountId: AccountId) {
  const rows = await listInvitations(db, accountId);
  return {
    invitations: rows.map((row) => ({
      ...row,
      role: row.role as MemberRole, // an invitation to an account has one of these
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    })),
  };
}
