import { recordAudit } from "../../../audit/record-audit.ts";
import { type DirectoryDb, inTransaction } from "../../../db/database.ts";
import { ApiError } from "../../../errors.ts";
import { type Actor, personOf, type ServiceKeyId } from "../../../ids.ts";
import { markServiceKeyRevoked } from "./queries.ts";

/** Revokes a key of any operator. Its next request is refused by every process. */
export async function revokeServiceKey(
  { db }: { db: DirectoryDb },
  actor: Actor,
  id: ServiceKeyId,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const revoked = await markServiceKeyRevoked(tx, id, personOf(actor));
    if (revoked === undefined) throw new ApiError("service_key_not_found");
    await recordAudit(tx, actor, {
      accountId: null,
      action: "service_key.revoke",
      object: id,
      before: { name: revoked.name },
    });
  });
}
