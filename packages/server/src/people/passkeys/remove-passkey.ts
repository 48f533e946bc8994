import { recordAudit } from "../../audit/record-audit.ts";
import type { DirectoryContext } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { type PasskeyId, type PersonActor, parseId } from "../../ids.ts";
import { noticeTo } from "../me/queue-notice.ts";
import { requireAnotherWay } from "../ways-to-sign-in.ts";
import { deletePasskey } from "./queries.ts";

/** Removes a passkey, unless it is the only way for its person to sign in. */
export async function removePasskey(
  ctx: DirectoryContext,
  actor: PersonActor,
  passkeyId: string,
): Promise<void> {
  const id = parseId<PasskeyId>(passkeyId);
  if (id === undefined) throw new ApiError("passkey_not_found");
  await inTransaction(ctx.db, async (tx) => {
    const name = await deletePasskey(tx, actor.personId, id);
    if (name === undefined) throw new ApiError("passkey_not_found");
    await requireAnotherWay(tx, actor.personId);
    const before = { name };
    await recordAudit(tx, actor, { accountId: null, action: "passkey.remove", object: id, before });
    await noticeTo(ctx, tx, actor.personId, "passkeyRemoved");
  });
}
