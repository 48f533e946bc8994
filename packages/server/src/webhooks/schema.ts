import { z } from "zod";
import { pageLimit, textCursor, timeRule } from "../http/paging.ts";
import { endpointId } from "./endpoints/schema.ts";

const idRule = "must be a deliveryId";
const outcomes = ["pending", "delivered", "failed"] as const;
const outcome = z.enum(outcomes, { error: "must be pending, delivered or failed" });
const epoch = z.int().meta({ description: "Epoch milliseconds." });
const limit = pageLimit({ usual: 50, max: 100 });
const deliveryId = z
  .string({ error: idRule })
  .min(1, { error: idRule })
  .max(100, { error: idRule });

export const deliveriesQuery = z.strictObject({
  taskId: z.string().max(100).optional().meta({ description: "Only deliveries of this task." }),
  endpointId: endpointId.optional().meta({
    description: "Only deliveries to this endpoint. Not with taskId or outcome=pending.",
  }),
  outcome: outcome.optional().meta({
    description: "pending: more attempts will be made. failed: no more attempts will be made.",
  }),
  cursor: textCursor(),
  limit,
});
export type DeliveriesQuery = z.output<typeof deliveriesQuery>;

const attempt = z.object({
  number: z.int(),
  at: epoch,
  status: z
    .int()
    .nullable()
    .meta({ description: "HTTP status of the receiver's response, if any." }),
  durationMs: z.int().nullable().meta({ description: "null while the attempt is running." }),
  reason: z.string().nullable().meta({ description: "Why the attempt failed; null after a 2xx." }),
});

const delivery = z
  .object({
    deliveryId: z.string(),
    webhookId: z.string().meta({ description: "Sent as the webhook-id header of every attempt." }),
    taskId: z
      .string()
      .nullable()
      .meta({ description: "null for a test event and for events that no task causes." }),
    endpointId: z.string().nullable().meta({ description: "null for the callback of a task." }),
    url: z.string(),
    type: z.string().meta({
      description: "The type of the event, as in `GET /api/v1/events`; `test` for a test event.",
    }),
    outcome,
    createdAt: epoch,
    deliveredAt: epoch.nullable(),
    nextAttemptAt: epoch.nullable().meta({ description: "null when no attempt is due." }),
    attempts: z.array(attempt),
  })
  .meta({ id: "Delivery" });
export type DeliveryAnswer = z.output<typeof delivery>;

export const deliveriesPage = z.object({
  items: z.array(delivery),
  nextCursor: z.string().nullable().meta({ description: "null on the last page." }),
});

export const deliveryQuery = z.strictObject({ deliveryId });
export const deliveryAnswer = delivery.extend({
  body: z.string().meta({ description: "The exact bytes that are signed and sent." }),
});

export const againBody = z
  .union(
    [
      z.strictObject({ deliveryId }),
      z.strictObject({
        from: z.iso.datetime({ offset: true, error: timeRule }),
        to: z.iso.datetime({ offset: true, error: timeRule }),
        outcome: z.enum(["delivered", "failed"]).default("failed"),
        endpointId: endpointId
          .optional()
          .meta({ description: "Only deliveries to this endpoint." }),
      }),
    ],
    { error: "must be {deliveryId} or {from, to, outcome, endpointId}" },
  )
  .meta({
    examples: [
      { deliveryId: "01998b6e-2c00-7000-8000-000000000001" },
      { from: "2026-11-16T00:00:00Z", to: "2026-11-17T00:00:00Z", outcome: "failed" },
    ],
  });
export type AgainBody = z.output<typeof againBody>;
export const againAnswer = z.object({
  queued: z.int().meta({ description: "Number of deliveries that are queued for redelivery." }),
  isMore: z
    .boolean()
    .meta({ description: "The range contains more deliveries. Repeat the request." }),
});

const urlRule = "must be a public http or https URL";
export const testBody = z
  .strictObject({
    url: z
      .string({ error: urlRule })
      .max(4_096, { error: "must have at most 4096 characters" })
      .optional()
      .meta({ description: "Where to. Required unless endpointId is given." }),
    endpointId: endpointId.optional().meta({ description: "Instead of url: to this endpoint." }),
  })
  .refine(({ url, endpointId }) => url !== undefined || endpointId !== undefined, {
    path: ["url"],
    error: urlRule,
  })
  .refine(({ url, endpointId }) => url === undefined || endpointId === undefined, {
    path: ["endpointId"],
    error: "cannot be combined with url",
  })
  .meta({ examples: [{ url: "https://example.com/hooks/zoetrope" }] });
export const testAnswer = z.object({ deliveryId: z.string() });

const overlapRule = "must be a whole number of hours from 0 to 168";
export const rotateBody = z
  .strictObject({
    overlapHours: z
      .int({ error: overlapRule })
      .min(0, { error: overlapRule })
      .max(168, { error: overlapRule })
      .default(24)
      .meta({ description: "How long the previous secret keeps signing beside the new one." }),
  })
  .meta({ examples: [{ overlapHours: 24 }] });
/** The parts that the descriptions of operations on secrets have in common. */
export const secretText =
  "It begins with `whsec_` and signs as in Standard Webhooks. `previousUntil` says how long the previous secret signs as well.";
export const rotatedText =
  "For `overlapHours` both secrets sign: the header then has two signatures, and one that matches is enough.";

export const secretAnswer = z.object({
  secret: z.string().meta({ description: "Secret in the Standard Webhooks format, whsec_…." }),
  previousUntil: epoch.nullable().meta({
    description: "The previous secret also signs until then. Epoch milliseconds.",
  }),
});

const afterRule = "must be the next of the previous response";
export const eventsQuery = z.strictObject({
  after: z.coerce
    .number({ error: afterRule })
    .int({ error: afterRule })
    .min(0, { error: afterRule })
    .max(Number.MAX_SAFE_INTEGER, { error: afterRule })
    .optional()
    .meta({
      description:
        "The next of the previous response. 0, the default, starts at the oldest event kept; a stream without it starts now.",
    }),
  order: z
    .enum(["asc", "desc"], { error: "must be asc or desc" })
    .default("asc")
    .meta({ description: "desc lists the newest events first. A stream is always in order." }),
  before: z.coerce
    .number({ error: afterRule })
    .int({ error: afterRule })
    .min(1, { error: afterRule })
    .max(Number.MAX_SAFE_INTEGER, { error: afterRule })
    .optional()
    .meta({ description: "With order=desc: the next of the previous response." }),
  limit,
});
export type EventsQuery = Pick<z.output<typeof eventsQuery>, "limit"> &
  Partial<z.output<typeof eventsQuery>>;

export const eventsAnswer = z.object({
  events: z.array(
    z
      .object({
        number: z.int().meta({ description: "Increases with every event; there may be gaps." }),
        type: z.string().meta({
          description:
            "generation.completed, generation.failed, upscale.completed or upscale.failed.",
        }),
        webhookId: z.string().meta({ description: "The webhook-id header of its callback." }),
        taskId: z.string(),
        createdAt: epoch,
        data: z
          .record(z.string(), z.unknown())
          .meta({ description: "The task as sent in its callback." }),
      })
      .meta({ id: "Event" }),
  ),
  next: z.int().meta({ description: "Send it as `after` to read the following events." }),
  hasMore: z.boolean(),
});
