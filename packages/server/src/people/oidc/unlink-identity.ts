import { recordAudit } from "../../audit/record-audit.ts";
import type { DirectoryContext } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { type IdentityId, type PersonActor, parseId } from "../../ids.ts";
import { noticeTo } from "../me/queue-notice.ts";
import { requireAnotherWay } from "../ways-to-sign-in.ts";
import { deleteIdentity } from "./queries.ts";

/** Unlinks a company sign-in, unless it is the only way for its person to sign in. */
export async function unlinkIdentity(
  ctx: DirectoryContext,
  actor: PersonActor,
  identityId: string,
): Promise<void> {
  const { personId } = actor;
  const id = parseId<IdentityId>(identityId);
  if (id === undefined) throw new ApiError("identity_not_found");
  await inTransaction(ctx.db, async (tx) => {
    const issuer = await deleteIdentity(tx, personId, id);
    if (issuer === undefined) throw new ApiError("identity_not_found");
    await requireAnotherWay(tx, personId);
    const change = { accountId: null, action: "identity.unlink", object: personId } as const;
    await recordAudit(tx, actor, { ...change, before: { issuer } });
    await noticeTo(ctx, tx, personId, "identityUnlinked");
  });
}
