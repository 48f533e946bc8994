import { takeChange } from "../../accounts/allowances.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import type { AccountId, Actor } from "../../ids.ts";
import { readCallbackUrl } from "../callback-url.ts";
import { deleteEndpoint, type EndpointRow, forgetFailures, updateEndpoint } from "./queries.ts";
import { requireEndpoint, viewEndpoint } from "./read-endpoints.ts";
import type { ChangeEndpointBody } from "./schema.ts";

/**
 * Changes what the body names. An endpoint that is resumed gets events from now on; the response says how
 * to get what was recorded while it was paused.
 */
export async function changeEndpoint(
  ctx: Context,
  actor: Actor,
  accountId: AccountId,
  { endpointId, ...body }: ChangeEndpointBody & { endpointId: string },
) {
  const url = body.url === undefined ? undefined : readCallbackUrl(ctx, body.url, "url");
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireEndpoint(tx, accountId, endpointId, true);
    const to = {
      url: url ?? before.url,
      events: body.events === undefined ? before.events : body.events,
      description: body.description ?? before.description,
      isPaused: body.paused ?? before.pausedAt !== null,
    };
    await updateEndpoint(tx, before.id, to);
    const isResumed = before.pausedAt !== null && !to.isPaused;
    if (isResumed) await forgetFailures(tx, before.id);
    await takeChange(tx, actor, accountId);
    await recordAudit(tx, actor, {
      accountId,
      action: "endpoint.change",
      object: before.id,
      before: audited({ ...before, isPaused: before.pausedAt !== null }),
      after: audited(to),
    });
    const after = await requireEndpoint(tx, accountId, before.id);
    return { ...viewEndpoint(after), missed: isResumed ? missedBy(before) : null };
  });
}

/**
 * Returns the filter for the deliveries missed since the pause, and for some before it, whose last attempts
 * may have failed.
 */
function missedBy({ id, pausedAt }: EndpointRow) {
  const from = pausedAt ?? new Date();
  return {
    endpointId: id,
    from: from.toISOString(),
    to: new Date().toISOString(),
    outcome: "failed" as const,
  };
}

function audited(row: Pick<EndpointRow, "url" | "events" | "description"> & { isPaused: boolean }) {
  const { url, events, description, isPaused } = row;
  return { url, events, description, isPaused };
}

/** Ends an endpoint. Its deliveries stay on record; open ones are not attempted again. */
export async function removeEndpoint(
  ctx: Context,
  actor: Actor,
  accountId: AccountId,
  endpointId: string,
) {
  return inTransaction(ctx.db, async (tx) => {
    const { id, url } = await requireEndpoint(tx, accountId, endpointId, true);
    await deleteEndpoint(tx, id);
    const before = { url };
    await takeChange(tx, actor, accountId);
    await recordAudit(tx, actor, { accountId, action: "endpoint.delete", object: id, before });
    return { endpointId: id, deleted: true as const };
  });
}
