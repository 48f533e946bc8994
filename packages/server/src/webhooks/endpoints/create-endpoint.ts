import { takeChange } from "../../accounts/allowances.ts";
import { lockAccountHere } from "../../accounts/queries.ts";
import { newWebhookSecret } from "../../accounts/webhook-secret.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { type AccountId, type Actor, type EndpointId, newId, shardOf } from "../../ids.ts";
import { readCallbackUrl } from "../callback-url.ts";
import { storedEndpointSecret } from "./endpoint-secret.ts";
import { countEndpoints, endpointsMax, insertEndpoint } from "./queries.ts";
import { requireEndpoint, viewEndpoint } from "./read-endpoints.ts";
import type { CreateEndpointBody } from "./schema.ts";

/** Creates an endpoint with a new secret. It gets the events from now on. */
export async function createEndpoint(
  ctx: Context,
  actor: Actor,
  accountId: AccountId,
  body: CreateEndpointBody,
) {
  const url = readCallbackUrl(ctx, body.url, "url");
  const { description, events = null } = body;
  const id = newId<EndpointId>(shardOf(accountId));
  const secret = newWebhookSecret();
  return inTransaction(ctx.db, async (tx) => {
    if ((await lockAccountHere(tx, accountId)) === undefined) throw new ApiError("unauthorized");
    if ((await countEndpoints(tx, accountId)) >= endpointsMax)
      throw new ApiError("endpoints_limit");
    const stored = storedEndpointSecret(ctx.keyRing, secret, id);
    await insertEndpoint(tx, { id, accountId, url, events, description, secret: stored });
    const after = { url, events, description };
    await takeChange(tx, actor, accountId);
    await recordAudit(tx, actor, { accountId, action: "endpoint.create", object: id, after });
    return { ...viewEndpoint(await requireEndpoint(tx, accountId, id)), secret };
  });
}
