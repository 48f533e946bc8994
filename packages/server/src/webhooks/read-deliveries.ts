import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError, invalid } from "../errors.ts";
import { isId, timeOf } from "../ids.ts";
import { messageIdOf } from "./attempt-delivery.ts";
import { type DeliveryRow, findDelivery, listDeliveries } from "./record.ts";
import type { DeliveriesQuery, DeliveryAnswer } from "./schema.ts";

/** The record of callbacks, newest first, with every attempt and why it failed. */
export async function readDeliveries(ctx: Context, caller: Caller, query: DeliveriesQuery) {
  if (query.cursor !== undefined && !isId(query.cursor))
    throw invalid("cursor", "must be the nextCursor of the page before");
  if (query.taskId !== undefined && !isId(query.taskId)) return { items: [], nextCursor: null };
  const rows = await listDeliveries(ctx.db, caller.id, query);
  const page = rows.slice(0, query.limit);
  const nextCursor = rows.length > query.limit ? (page.at(-1)?.id ?? null) : null;
  return { items: page.map(viewDelivery), nextCursor };
}

export async function readDelivery(ctx: Context, caller: Caller, deliveryId: string) {
  const row = isId(deliveryId) ? await findDelivery(ctx.db, caller.id, deliveryId) : undefined;
  if (row === undefined) throw new ApiError("delivery_not_found");
  return { ...viewDelivery(row), body: row.body };
}

function viewDelivery(row: DeliveryRow): DeliveryAnswer {
  const isOver = row.nextAttemptAt === null;
  return {
    deliveryId: row.id,
    webhookId: messageIdOf(row.id),
    taskId: row.taskId,
    url: row.url,
    outcome: isOver ? (row.deliveredAt === null ? "failed" : "delivered") : "pending",
    createdAt: timeOf(row.id), // as it is found by time
    deliveredAt: row.deliveredAt?.getTime() ?? null,
    nextAttemptAt: row.nextAttemptAt?.getTime() ?? null,
    attempts: row.attempts,
  };
}
