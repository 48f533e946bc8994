import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Context } from "../context.ts";
import { fingerprintOf } from "../tasks/idempotency.ts";
import { createTask } from "./create-task.ts";
import { queryTask } from "./query-task.ts";
import { receiveVendorCallback } from "./receive-vendor-callback.ts";
import { createTaskAnswer, createTaskBody, generationTask, queryTaskQuery } from "./schema.ts";

const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .min(1, { error: "must be 1 to 255 characters" })
    .max(255, { error: "must be 1 to 255 characters" })
    .optional(),
});

export function generationRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/v1/jobs/createTask",
      {
        schema: {
          headers: idempotencyHeaders,
          body: createTaskBody,
          response: { 200: createTaskAnswer },
        },
      },
      async (request, reply) => {
        const key = request.headers["idempotency-key"];
        const idempotency =
          key === undefined ? null : { key, fingerprint: fingerprintOf(request.body) };
        const { taskId, replayed } = await createTask(
          ctx,
          request.account,
          request.body,
          idempotency,
        );
        if (replayed) reply.header("Idempotent-Replayed", "true");
        return { taskId };
      },
    );

    app.get(
      "/api/v1/jobs/queryTask",
      { schema: { querystring: queryTaskQuery, response: { 200: generationTask } } },
      (request) => queryTask(ctx, request.account, request.query.taskId),
    );

    app.post(
      "/vendors/:vendorAccount/:taskId/:token",
      {
        config: { isPublic: true },
        schema: {
          params: z.object({ vendorAccount: z.string(), taskId: z.string(), token: z.string() }),
        },
      },
      async (request) => {
        await receiveVendorCallback(ctx, request.params, request.body);
        return {}; // the same for all: a stranger learns nothing
      },
    );
  };
}
