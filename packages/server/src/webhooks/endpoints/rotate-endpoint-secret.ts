import { takeChange } from "../../accounts/allowances.ts";
import { newWebhookSecret } from "../../accounts/webhook-secret.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { type AccountId, type Actor, type EndpointId, parseId } from "../../ids.ts";
import { readEndpointSecret, storedEndpointSecret } from "./endpoint-secret.ts";
import { readStored, replaceEndpointSecret } from "./queries.ts";
import { requireEndpoint } from "./read-endpoints.ts";

/** Rotates the secret; the previous one also signs for the overlap, so that the receiver can switch. */
export async function rotateEndpointSecret(
  ctx: Context,
  actor: Actor,
  accountId: AccountId,
  { endpointId, overlapHours }: { endpointId: string; overlapHours: number },
) {
  await inTransaction(ctx.db, async (tx) => {
    const { id } = await requireEndpoint(tx, accountId, endpointId, true);
    const stored = storedEndpointSecret(ctx.keyRing, newWebhookSecret(), id);
    await replaceEndpointSecret(tx, id, stored, overlapHours);
    const after = { overlapHours };
    await takeChange(tx, actor, accountId);
    await recordAudit(tx, actor, { accountId, action: "endpoint.rotate", object: id, after });
  });
  return showEndpointSecret(ctx, accountId, endpointId);
}

export async function showEndpointSecret(ctx: Context, accountId: AccountId, endpointId: string) {
  const id = parseId<EndpointId>(endpointId);
  const found = id && (await readStored(ctx.db, accountId, id));
  if (found === undefined) throw new ApiError("endpoint_not_found");
  const secret = readEndpointSecret(ctx.keyRing, found.stored, id as EndpointId);
  return { secret, previousUntil: found.previousUntil?.getTime() ?? null };
}
