import {
  findStaffAccount,
  listByName,
  listNewest,
  type StaffAccountRow,
} from "../../accounts/staff-queries.ts";
import type { Db } from "../../db/database.ts";
import { invalid } from "../../errors.ts";
import { cutPage, readIdCursor, refuseCursor } from "../../http/paging.ts";
import { type AccountId, parseId } from "../../ids.ts";

export interface AccountSearch {
  accountId?: string | undefined;
  /** A prefix of the name. */
  name?: string | undefined;
  isSuspended?: boolean | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** A page of accounts: the one with this id, those with this prefix by name, or all, newest first. */
export async function searchAccounts(
  db: Db,
  search: AccountSearch,
): Promise<{ items: StaffAccountRow[]; nextCursor: string | null }> {
  const { accountId, name, isSuspended = false, cursor, limit } = search;
  if (accountId !== undefined) {
    const id = parseId<AccountId>(accountId);
    const account = id === undefined ? undefined : await findStaffAccount(db, id);
    return { items: account === undefined ? [] : [account], nextCursor: null };
  }
  if (name !== undefined) {
    if (isSuspended) throw invalid("suspended", "cannot be combined with name");
    const after = cursor === undefined ? null : readNameCursor(cursor);
    const rows = await listByName(db, { prefix: name, after, rowsMax: limit + 1 });
    const { page, nextCursor } = cutPage(rows, limit, writeNameCursor);
    return { items: page, nextCursor };
  }
  const before = readIdCursor<AccountId>(cursor);
  const rows = await listNewest(db, { before, isSuspended, rowsMax: limit + 1 });
  const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id);
  return { items: page, nextCursor };
}

function writeNameCursor({ nameKey, id }: StaffAccountRow): string {
  return Buffer.from(`${id}${nameKey}`).toString("base64url");
}

const idLength = 36;

function readNameCursor(cursor: string): { nameKey: string; id: AccountId } {
  const text = Buffer.from(cursor, "base64url").toString();
  const id = parseId<AccountId>(text.slice(0, idLength)) ?? refuseCursor();
  return text.includes("\0") ? refuseCursor() : { id, nameKey: text.slice(idLength) };
}
