import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { ApiError } from "../errors.ts";
import { refusals } from "../http/error-answers.ts";
import { idempotencyHeaders } from "../http/idempotency-headers.ts";
import { tellOpenTasks } from "../http/open-tasks.ts";
import { type Live, liveRoute } from "../live/routes.ts";
import type { SwitchesContext } from "../switches/context.ts";
import { createUpscale } from "./create-upscale.ts";
import { queryUpscale } from "./query-upscale.ts";
import {
  createUpscaleAnswer,
  createUpscaleBody,
  queryUpscaleQuery,
  upscaleTask,
} from "./schema.ts";

export function upscaleRoutes(ctx: SwitchesContext, live: Live): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/v1/upscale/create",
      {
        config: { scope: "tasks", locksAccount: true, createsTask: true },
        attachValidation: true, // has its own error code
        schema: {
          operationId: "createUpscale",
          summary: "Upscale a video",
          tags: ["upscale"],
          headers: idempotencyHeaders,
          body: createUpscaleBody,
          response: {
            200: createUpscaleAnswer,
            ...refusals(400, 401, 402, 403, 409, 413, 415, 422, 429, 500, 503),
          },
        },
      },
      async (request, reply) => {
        if (request.validationError !== undefined)
          throw inOwnCode(request.validationError, request.body);
        const key = request.headers["idempotency-key"] ?? null;
        const created = await createUpscale(ctx, request.caller, request.body, key);
        const { replayed, openTasks, ...answer } = created;
        if (replayed) reply.header("Idempotent-Replayed", "true");
        if (openTasks !== null) tellOpenTasks(reply, openTasks);
        return answer;
      },
    );

    liveRoute(app, live, {
      url: "/api/v1/upscale/query",
      kind: "upscale",
      describe: {
        operationId: "queryUpscale",
        summary: "Read an upscale task, wait for a change, or stream it",
        tags: ["upscale"],
      },
      querystring: queryUpscaleQuery,
      answer: upscaleTask,
      read: (caller, taskId) => queryUpscale(ctx, caller, taskId),
    });
  };
}

/** A malformed source, as opposed to a missing one, gets the upscaler's own code. */
function inOwnCode(fault: Error, body: unknown): Error {
  const isGiven = typeof body === "object" && body !== null && "source" in body && body.source;
  if (!isGiven || !(fault instanceof ApiError) || !fault.param?.startsWith("source")) return fault;
  return new ApiError("INVALID_URL", { message: fault.message, param: fault.param });
}
