import { recordAudit } from "../../audit/record-audit.ts";
import { type Db, inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { AccountId, Actor, KeyId } from "../../ids.ts";
import { takeChange } from "../allowances.ts";
import { markKeyRevoked } from "../queries.ts";
import { requireKey, requireOwn } from "./issue-key.ts";

/** Revokes a key: it creates no task from here on, and reads nothing after the 5 s that it is cached. */
export async function revokeKey(
  { db }: { db: Db },
  actor: Actor,
  accountId: AccountId,
  keyId: KeyId,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (actor.kind === "key") await requireOwn(tx, accountId, actor.keyId);
    const { name } = await requireKey(tx, accountId, keyId);
    if (!(await markKeyRevoked(tx, keyId))) throw new ApiError("key_not_found");
    const before = { name };
    await takeChange(tx, actor, accountId);
    await recordAudit(tx, actor, { accountId, action: "key.revoke", object: keyId, before });
  });
}
