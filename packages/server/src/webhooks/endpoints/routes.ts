import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../../context.ts";
import { refusals } from "../../http/error-answers.ts";
import { rotateBody, rotatedText, secretAnswer, secretText } from "../schema.ts";
import { changeAlerts, readAlerts } from "./alerts.ts";
import { changeEndpoint, removeEndpoint } from "./change-endpoint.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { readEndpoints } from "./read-endpoints.ts";
import { rotateEndpointSecret, showEndpointSecret } from "./rotate-endpoint-secret.ts";
import {
  alertsAnswer,
  alertsBody,
  changedEndpointAnswer,
  changeEndpointBody,
  createEndpointBody,
  deletedEndpointAnswer,
  endpointQuery,
  endpointsAnswer,
  newEndpointAnswer,
} from "./schema.ts";

const path = "/api/v1/webhooks/endpoints";
/**
 * The config of routes that set where events go or the secret that proves their sender: both outlast a
 * session.
 */
const proven = { scope: "webhooks", needsProof: true } as const;

export function endpointRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      path,
      {
        config: { scope: "webhooks" },
        schema: {
          operationId: "listEndpoints",
          summary: "List webhook endpoints with their health",
          description:
            "Each with its last results and since when, the failures in a row and the last success.",
          tags: ["webhooks"],
          response: { 200: endpointsAnswer, ...refusals(401, 429, 500) },
        },
      },
      (request) => readEndpoints(ctx, request.caller.id),
    );
    app.post(
      path,
      {
        config: { ...proven, isSecret: true, locksAccount: true },
        schema: {
          operationId: "createEndpoint",
          summary: "Create a webhook endpoint",
          description:
            "Registers an address that is notified of events of the account: ends of tasks, reviews, low credits and budgets. The bodies are among the webhooks of this document. The response has the `secret` that signs them. An account has at most 10.",
          tags: ["webhooks"],
          body: createEndpointBody,
          response: { 200: newEndpointAnswer, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
      },
      (request) => createEndpoint(ctx, request.actor, request.caller.id, request.body),
    );
    app.patch(
      path,
      {
        config: proven,
        schema: {
          operationId: "changeEndpoint",
          summary: "Change, pause or resume a webhook endpoint",
          description:
            "Changes what the body names. For a paused endpoint deliveries are only recorded; after it is resumed, `missed` is the body of the request that delivers them.",
          tags: ["webhooks"],
          querystring: endpointQuery,
          body: changeEndpointBody,
          response: {
            200: changedEndpointAnswer,
            ...refusals(400, 401, 403, 404, 413, 415, 429, 500),
          },
        },
      },
      ({ actor, caller, query, body }) =>
        changeEndpoint(ctx, actor, caller.id, { ...query, ...body }),
    );
    app.delete(
      path,
      {
        config: { scope: "webhooks" },
        schema: {
          operationId: "deleteEndpoint",
          summary: "Delete a webhook endpoint",
          description: "Its deliveries stay on record; open ones are no longer attempted.",
          tags: ["webhooks"],
          querystring: endpointQuery,
          response: { 200: deletedEndpointAnswer, ...refusals(400, 401, 404, 429, 500) },
        },
      },
      ({ actor, caller, query }) => removeEndpoint(ctx, actor, caller.id, query.endpointId),
    );
  };
}

/** The routes of the secret of an endpoint, and of the account's alerts. */
export function endpointSecretRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      `${path}/secret`,
      {
        config: { ...proven, isSecret: true },
        schema: {
          operationId: "readEndpointSecret",
          summary: "Read the secret of a webhook endpoint",
          description: `Signs what is sent to this endpoint. ${secretText}`,
          tags: ["webhooks"],
          querystring: endpointQuery,
          response: { 200: secretAnswer, ...refusals(400, 401, 403, 404, 429, 500) },
        },
      },
      ({ caller, query }) => showEndpointSecret(ctx, caller.id, query.endpointId),
    );
    app.post(
      `${path}/secret/rotate`,
      {
        config: { ...proven, isSecret: true },
        schema: {
          operationId: "rotateEndpointSecret",
          summary: "Rotate the secret of a webhook endpoint",
          description: `Creates a new secret for this endpoint. ${rotatedText}`,
          tags: ["webhooks"],
          querystring: endpointQuery,
          body: rotateBody,
          response: { 200: secretAnswer, ...refusals(400, 401, 403, 404, 413, 415, 429, 500) },
        },
      },
      ({ actor, caller, query, body }) =>
        rotateEndpointSecret(ctx, actor, caller.id, { ...query, ...body }),
    );
    app.get(
      "/api/v1/webhooks/alerts",
      {
        config: { scope: "webhooks" },
        schema: {
          operationId: "readAlerts",
          summary: "Read when credits are low",
          description: "The threshold of the event `credits.low`, which owners also get by mail.",
          tags: ["webhooks"],
          response: { 200: alertsAnswer, ...refusals(401, 429, 500) },
        },
      },
      (request) => readAlerts(ctx, request.caller.id),
    );
    app.patch(
      "/api/v1/webhooks/alerts",
      {
        config: { scope: "webhooks", locksAccount: true },
        schema: {
          operationId: "changeAlerts",
          summary: "Set when credits are low",
          description:
            "The event is sent when a charge takes `credits` below the threshold, once until they have been above it again. null: never.",
          tags: ["webhooks"],
          body: alertsBody,
          response: { 200: alertsAnswer, ...refusals(400, 401, 413, 415, 429, 500) },
        },
      },
      ({ actor, caller, body }) => changeAlerts(ctx, actor, caller.id, body),
    );
  };
}
