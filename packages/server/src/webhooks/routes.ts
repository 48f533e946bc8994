import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../context.ts";
import { refusals } from "../http/error-answers.ts";
import type { WebhooksContext } from "./context.ts";
import { deliverAgain } from "./deliver-again.ts";
import { readDeliveries, readDelivery } from "./read-deliveries.ts";
import { rotateSecret, showSecret } from "./rotate-secret.ts";
import {
  againAnswer,
  againBody,
  deliveriesPage,
  deliveriesQuery,
  deliveryAnswer,
  deliveryQuery,
  rotateBody,
  rotatedText,
  secretAnswer,
  secretText,
  testAnswer,
  testBody,
} from "./schema.ts";
import { sendTest } from "./send-test.ts";

export function webhookRoutes(ctx: WebhooksContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/webhooks/deliveries",
      {
        config: { scope: "webhooks" },
        schema: {
          operationId: "listDeliveries",
          summary: "List deliveries, newest first",
          description:
            "What was sent to callback URLs and endpoints, each with every attempt and why it failed. The record is kept for at least 90 days by default.",
          tags: ["webhooks"],
          querystring: deliveriesQuery,
          response: { 200: deliveriesPage, ...refusals(400, 401, 429, 500) },
        },
      },
      (request) => readDeliveries(ctx, request.caller, request.query),
    );
    app.get(
      "/api/v1/webhooks/delivery",
      {
        config: { scope: "webhooks" },
        schema: {
          operationId: "readDelivery",
          summary: "Read a delivery with its body",
          description: "A delivery as in the list, with the exact bytes that are signed and sent.",
          tags: ["webhooks"],
          querystring: deliveryQuery,
          response: { 200: deliveryAnswer, ...refusals(400, 401, 404, 429, 500) },
        },
      },
      (request) => readDelivery(ctx, request.caller, request.query.deliveryId),
    );
    app.post(
      "/api/v1/webhooks/again",
      {
        config: { scope: "webhooks" },
        schema: {
          operationId: "deliverAgain",
          summary: "Redeliver by id or time range",
          description:
            "Queues deliveries for four more attempts, with the same bytes and the same `webhook-id`: one by its id, or those of a range of time, at most 1,000 a request. `isMore` says that the range has more.",
          tags: ["webhooks"],
          body: againBody,
          response: { 200: againAnswer, ...refusals(400, 401, 404, 409, 413, 415, 429, 500) },
        },
      },
      (request) => deliverAgain(ctx, request.caller, request.body),
    );
    app.post(
      "/api/v1/webhooks/test",
      {
        config: { scope: "webhooks" },
        schema: {
          operationId: "sendTestEvent",
          summary: "Send a test event",
          description:
            "Sends an event of type `test` to a URL or an endpoint, signed, tried and recorded like any other.",
          tags: ["webhooks"],
          body: testBody,
          response: { 200: testAnswer, ...refusals(400, 401, 404, 413, 415, 429, 500) },
        },
      },
      ({ caller, body: { url = "", endpointId } }) =>
        sendTest(ctx, caller, endpointId === undefined ? url : { endpointId }),
    );
  };
}

/**
 * The config of routes that reveal the webhook secret, which can sign callbacks long after the session has
 * ended.
 */
const secretConfig = { scope: "webhooks", isSecret: true, needsProof: true } as const;

/** The webhook secret. */
export function secretRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/webhooks/secret",
      {
        config: secretConfig,
        schema: {
          operationId: "readWebhookSecret",
          summary: "Read the webhook secret",
          description: `Signs the callbacks of tasks; endpoints have separate secrets. ${secretText}`,
          tags: ["webhooks"],
          response: { 200: secretAnswer, ...refusals(401, 403, 429, 500) },
        },
      },
      (request) => showSecret(ctx, request.caller),
    );
    app.post(
      "/api/v1/webhooks/secret/rotate",
      {
        config: secretConfig,
        schema: {
          operationId: "rotateWebhookSecret",
          summary: "Rotate the webhook secret",
          description: `Creates a new secret for the callbacks of tasks. ${rotatedText}`,
          tags: ["webhooks"],
          body: rotateBody,
          response: { 200: secretAnswer, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
      },
      ({ actor, caller, body }) => rotateSecret(ctx, actor, caller.id, body.overlapHours),
    );
  };
}
