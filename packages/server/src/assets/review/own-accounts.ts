import type { DirectoryDb } from "../../db/database.ts";
import { type AccountId, type Actor, personOf } from "../../ids.ts";
import { listAccountsOf } from "../../people/members/queries.ts";

/** The accounts of the person who reviews, with their test accounts: somebody else judges their assets. */
export async function ownAccounts(
  { directory }: { directory: { db: DirectoryDb } },
  actor: Actor,
): Promise<AccountId[]> {
  const personId = personOf(actor);
  return personId === null ? [] : listAccountsOf(directory.db, personId);
}
