import { z } from "zod";
import { eventTypes } from "./event-types.ts";

const idRule = "must be an endpointId";
const urlRule = "must be a public http or https URL";
const eventsRule = `must be some of ${eventTypes.join(", ")}`;
const creditsRule = "must be a positive whole number of credits";
const epoch = z.int().meta({ description: "Epoch milliseconds." });
const eventType = z.enum(eventTypes, { error: eventsRule });

const url = z
  .string({ error: urlRule })
  .min(1, { error: urlRule })
  .max(4_096, { error: "must have at most 4096 characters" })
  .meta({
    description: "Where events are sent. Public addresses only; redirects are not followed.",
  });
/** On the outside nullable: null is all, which is different from leaving it as it is. */
const events = z
  .array(eventType, { error: eventsRule })
  .min(1, { error: eventsRule })
  .refine((types) => new Set(types).size === types.length, { error: "must name each type once" })
  .optional()
  .nullable()
  .meta({
    description: "Which types of events are sent. null: all, also types of later releases.",
  });
const description = z
  .string({ error: "must be text of at most 200 characters" })
  .max(200, { error: "must have at most 200 characters" })
  .meta({ description: "A label for your own use." });

export const endpointId = z
  .string({ error: idRule })
  .min(1, { error: idRule })
  .max(100, { error: idRule });
export const endpointQuery = z.strictObject({ endpointId });

export const createEndpointBody = z
  .strictObject({
    url,
    events,
    description: description.default(""),
  })
  .meta({
    examples: [
      {
        url: "https://example.com/hooks/zoetrope",
        events: ["generation.completed", "generation.failed"],
        description: "Render queue",
      },
    ],
  });
export type CreateEndpointBody = z.output<typeof createEndpointBody>;

export const changeEndpointBody = z
  .strictObject({
    url: url.optional(),
    events,
    description: description.optional(),
    paused: z
      .boolean({ error: "must be true or false" })
      .optional()
      .meta({ description: "While paused, deliveries are recorded but not attempted." }),
  })
  .meta({ examples: [{ paused: true }] });
export type ChangeEndpointBody = z.output<typeof changeEndpointBody>;

const endpoint = z
  .object({
    endpointId: z.string(),
    url: z.string(),
    events: z.array(z.string()).nullable().meta({ description: "null: all." }),
    description: z.string(),
    createdAt: epoch,
    pausedAt: epoch.nullable().meta({ description: "null: events are sent." }),
    pauseReason: z.enum(["owner", "failing"]).nullable().meta({
      description: "failing: every attempt failed for 5 days.",
    }),
    health: z
      .object({
        status: z
          .int()
          .nullable()
          .meta({ description: "HTTP status of the last response, if any." }),
        reason: z.string().nullable().meta({ description: "Why the last attempt failed." }),
        since: epoch.meta({ description: "Since when attempts end like this." }),
        failures: z.int().meta({ description: "Failed attempts in a row." }),
        failingSince: epoch.nullable(),
        lastAttemptAt: epoch,
        lastSuccessAt: epoch.nullable(),
      })
      .nullable()
      .meta({ description: "null: nothing was sent yet. Up to some seconds old." }),
  })
  .meta({ id: "WebhookEndpoint" });
export type EndpointAnswer = z.output<typeof endpoint>;

export const endpointsAnswer = z.object({ items: z.array(endpoint) });
export const newEndpointAnswer = endpoint.extend({
  secret: z.string().meta({ description: "Signs what is sent to this endpoint." }),
});
export const changedEndpointAnswer = endpoint.extend({
  missed: z
    .object({
      endpointId: z.string(),
      from: z.string(),
      to: z.string(),
      outcome: z.literal("failed"),
    })
    .nullable()
    .meta({
      description:
        "After a pause: the body of POST /api/v1/webhooks/again that delivers what was recorded meanwhile. Nothing is delivered without it.",
    }),
});
export const deletedEndpointAnswer = z.object({
  endpointId: z.string(),
  deleted: z.literal(true),
});

export const alertsBody = z
  .strictObject({
    creditsLow: z
      .int({ error: creditsRule })
      .min(1, { error: creditsRule })
      .optional()
      .nullable()
      .meta({
        description: "An event credits.low is sent when `credits` falls below this. null: never.",
      }),
  })
  .meta({ examples: [{ creditsLow: 1_000 }] });
export const alertsAnswer = z.object({ creditsLow: z.int().nullable() });

/** The data of events other than the end of a task. The `data` of the latter is the response of a query. */
export const reviewedAsset = z.object({
  assetId: z.int(),
  upstreamAssetId: z.string(),
  status: z.enum(["ACTIVE", "NONE", "FAILED"]).meta({
    description:
      "ACTIVE: the review has passed. NONE: its type is not reviewed here, or no reviewer could judge it.",
  }),
  failReason: z.string().nullable().meta({ description: "null unless FAILED." }),
});
export const lowCredits = z.object({
  credits: z.int(),
  availableCredits: z.int().meta({ description: "`credits` without what open tasks hold." }),
  creditsLow: z.int().meta({ description: "As set by PATCH /api/v1/webhooks/alerts." }),
});
export const lowBudget = z.object({
  keyId: z.string(),
  name: z.string(),
  hint: z.string().meta({ description: "The beginning of the key, to recognise it by." }),
  percent: z.int().meta({ description: "80 or 100: how much of the budget is used." }),
  creditsMax: z.int().meta({ description: "The budget." }),
  creditsLeft: z.int().meta({ description: "The budget minus what the tasks of the key cost." }),
});
