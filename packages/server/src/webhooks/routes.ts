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
  secretAnswer,
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

/** The webhook secret. */
export function secretRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/webhooks/secret",
      {
        config: { scope: "webhooks", isSecret: true },
        schema: {
          operationId: "readWebhookSecret",
          summary: "Read the webhook secret",
          tags: ["webhooks"],
          response: { 200: secretAnswer, ...refusals(401, 429, 500) },
        },
      },
      (request) => showSecret(ctx, request.caller),
    );
    app.post(
      "/api/v1/webhooks/secret/rotate",
      {
        config: { scope: "webhooks", isSecret: true },
        schema: {
          operationId: "rotateWebhookSecret",
          summary: "Rotate the webhook secret",
          tags: ["webhooks"],
          body: rotateBody,
          response: { 200: secretAnswer, ...refusals(400, 401, 413, 415, 429, 500) },
        },
      },
      ({ actor, caller, body }) => rotateSecret(ctx, actor, caller.id, body.overlapHours),
    );
  };
}
