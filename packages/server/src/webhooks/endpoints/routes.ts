import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../../context.ts";
import { refusals } from "../../http/error-answers.ts";
import { rotateBody, secretAnswer } from "../schema.ts";
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

export function endpointRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      path,
      {
        config: { scope: "webhooks" },
        schema: {
          operationId: "listEndpoints",
          summary: "List webhook endpoints with their health",
          tags: ["webhooks"],
          response: { 200: endpointsAnswer, ...refusals(401, 429, 500) },
        },
      },
      (request) => readEndpoints(ctx, request.caller.id),
    );
    app.post(
      path,
      {
        config: { scope: "webhooks", isSecret: true, locksAccount: true },
        schema: {
          operationId: "createEndpoint",
          summary: "Create a webhook endpoint",
          tags: ["webhooks"],
          body: createEndpointBody,
          response: { 200: newEndpointAnswer, ...refusals(400, 401, 413, 415, 429, 500) },
        },
      },
      (request) => createEndpoint(ctx, request.actor, request.caller.id, request.body),
    );
    app.patch(
      path,
      {
        config: { scope: "webhooks" },
        schema: {
          operationId: "changeEndpoint",
          summary: "Change, pause or resume a webhook endpoint",
          tags: ["webhooks"],
          querystring: endpointQuery,
          body: changeEndpointBody,
          response: { 200: changedEndpointAnswer, ...refusals(400, 401, 404, 413, 415, 429, 500) },
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
          tags: ["webhooks"],
          querystring: endpointQuery,
          response: { 200: deletedEndpointAnswer, ...refusals(400, 401, 404, 429, 500) },
        },
      },
      ({ actor, caller, query }) => removeEndpoint(ctx, actor, caller.id, query.endpointId),
    );
  };
}

/** The secret of an endpoint, and when the account wants to be told. */
export function endpointSecretRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      `${path}/secret`,
      {
        config: { scope: "webhooks", isSecret: true },
        schema: {
          operationId: "readEndpointSecret",
          summary: "Read the secret of a webhook endpoint",
          tags: ["webhooks"],
          querystring: endpointQuery,
          response: { 200: secretAnswer, ...refusals(400, 401, 404, 429, 500) },
        },
      },
      ({ caller, query }) => showEndpointSecret(ctx, caller.id, query.endpointId),
    );
    app.post(
      `${path}/secret/rotate`,
      {
        config: { scope: "webhooks", isSecret: true },
        schema: {
          operationId: "rotateEndpointSecret",
          summary: "Rotate the secret of a webhook endpoint",
          tags: ["webhooks"],
          querystring: endpointQuery,
          body: rotateBody,
          response: { 200: secretAnswer, ...refusals(400, 401, 404, 413, 415, 429, 500) },
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
          tags: ["webhooks"],
          body: alertsBody,
          response: { 200: alertsAnswer, ...refusals(400, 401, 413, 415, 429, 500) },
        },
      },
      ({ actor, caller, body }) => changeAlerts(ctx, actor, caller.id, body),
    );
  };
}
