import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError, invalid } from "../errors.ts";
import { cutPage, readIdCursor } from "../http/paging.ts";
import { type DeliveryId, type EndpointId, parseId, type TaskId, timeOf } from "../ids.ts";
import { messageIdOf } from "./attempt-delivery.ts";
import { type DeliveryRow, findDelivery, listDeliveries } from "./delivery-queries.ts";
import type { DeliveriesQuery, DeliveryAnswer } from "./schema.ts";

/** Deliveries, newest first, with every attempt and why it failed. */
export async function readDeliveries(ctx: Context, caller: Caller, query: DeliveriesQuery) {
  const cursor = readIdCursor<DeliveryId>(query.cursor) ?? undefined;
  const taskId = query.taskId === undefined ? undefined : parseId<TaskId>(query.taskId);
  if (query.taskId !== undefined && taskId === undefined) return { items: [], nextCursor: null };
  const endpointId =
    query.endpointId === undefined ? undefined : parseId<EndpointId>(query.endpointId);
  if (query.endpointId !== undefined && endpointId === undefined)
    return { items: [], nextCursor: null };
  // Neither has an index: an endpoint that failed a million times would be read for each page.
  if (endpointId !== undefined && (taskId !== undefined || query.outcome === "pending"))
    throw invalid("endpointId", "cannot be combined with taskId or outcome=pending");
  const page = { ...query, cursor, taskId, endpointId };
  const rows = await listDeliveries(ctx.db, caller.id, page);
  const { page: shown, nextCursor } = cutPage(rows, query.limit, ({ id }) => id);
  return { items: shown.map(viewDelivery), nextCursor };
}

export async function readDelivery(ctx: Context, caller: Caller, id: string) {
  const deliveryId = parseId<DeliveryId>(id);
  const row = deliveryId && (await findDelivery(ctx.db, caller.id, deliveryId));
  if (row === undefined) throw new ApiError("delivery_not_found");
  return { ...viewDelivery(row), body: row.body };
}

function viewDelivery(row: DeliveryRow): DeliveryAnswer {
  const isOver = row.nextAttemptAt === null;
  return {
    deliveryId: row.id,
    webhookId: messageIdOf(row.eventId),
    taskId: row.taskId,
    endpointId: row.endpointId,
    url: row.url,
    type: typeOf(row.body),
    outcome: isOver ? (row.deliveredAt === null ? "failed" : "delivered") : "pending",
    createdAt: timeOf(row.id), // as it is found by time
    deliveredAt: row.deliveredAt?.getTime() ?? null,
    nextAttemptAt: row.nextAttemptAt?.getTime() ?? null,
    attempts: row.attempts,
  };
}

/** Returns the type of a body. An event contains its type; the callback of a task is the task itself. */
function typeOf(body: string): string {
  const { type, test, status } = JSON.parse(body) as Record<string, unknown>;
  if (typeof type === "string") return type;
  if (test === true) return "test";
  return status === "COMPLETED" ? "task.completed" : "task.failed";
}
