import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { messageIdOf } from "./attempt-delivery.ts";
import { type EventRow, listEvents, purgeEvents } from "./event-queries.ts";
import type { EventsQuery } from "./schema.ts";

const purgedMax = 1_000;

/**
 * The events of an account in a stable order: a receiver that was down reads what it missed. People read
 * the newest first.
 */
export async function readEvents(ctx: Context, caller: Caller, query: EventsQuery) {
  const { after = 0, before = null, order = "asc", limit } = query;
  const rows = await listEvents(ctx.db, caller.id, { after, before, order, limit });
  const page = rows.slice(0, limit);
  return {
    events: page.map(viewEvent),
    next: page.at(-1)?.number ?? before ?? after,
    hasMore: rows.length > limit,
  };
}

export function viewEvent({ id, number, type, taskId, createdAt, body }: EventRow) {
  return {
    number,
    type,
    webhookId: messageIdOf(id),
    taskId,
    createdAt: createdAt.getTime(),
    data: JSON.parse(body) as Record<string, unknown>,
  };
}

export function sweepEvents(ctx: Context): Promise<void> {
  return purgeEvents(ctx.db, ctx.config.retention.eventsDays, purgedMax);
}
