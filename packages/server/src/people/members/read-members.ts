import type { DirectoryDb } from "../../db/database.ts";
import type { AccountId, MemberRole } from "../../ids.ts";
import type { Config } from "../../settings/config.ts";
import { mailOf } from "../invitation-mail.ts";
import { listInvitations, listMembers } from "./queries.ts";

export async function readMembers({ db }: { db: DirectoryDb }, accountId: AccountId) {
  const rows = await listMembers(db, accountId);
  return { members: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })) };
}

export async function readInvitations(
  { db, config }: { db: DirectoryDb; config: Pick<Config, "mail"> },
  accountId: AccountId,
) {
  const rows = await listInvitations(db, accountId);
  return {
    invitations: rows.map((row) => ({
      ...row,
      mail: mailOf(config, row),
      role: row.role as MemberRole, // an invitation to an account has one of these
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    })),
  };
}
