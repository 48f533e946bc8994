import { throwIfMoved } from "../../accounts/forwarding-rows.ts";
import { findStaffAccount, lockStaffAccount } from "../../accounts/staff-queries.ts";
import type { Db, Tx } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { AccountId } from "../../ids.ts";

/** Throws `LivesElsewhere` of an account of another shard, as below. */
export async function requireAccount(db: Db, accountId: AccountId) {
  const account = await findStaffAccount(db, accountId);
  if (account === undefined) throw new ApiError("account_not_found");
  throwIfMoved(account.movedTo);
  return account;
}

/** Returns an account, locked for a change. A test account changes with its account. */
export async function requireOpenAccount(tx: Tx, accountId: AccountId) {
  const account = await lockStaffAccount(tx, accountId);
  if (account === undefined) throw new ApiError("account_not_found");
  throwIfMoved(account.movedTo);
  if (account.closedAt !== null) throw new ApiError("account_closed");
  return account;
}
