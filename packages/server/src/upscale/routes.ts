import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { ApiError } from "../errors.ts";
import { createShareReads } from "../flow/share-reads.ts";
import { refusals } from "../http/error-answers.ts";
import { idempotencyHeaders } from "../http/idempotency-headers.ts";
import { addOpenTasksHeaders } from "../http/open-tasks.ts";
import { type Live, liveRoute } from "../live/routes.ts";
import { waitingText } from "../live/schema.ts";
import type { PricesContext } from "../prices/context.ts";
import { createUpscale } from "./create-upscale.ts";
import { queryUpscale } from "./query-upscale.ts";
import { quoteUpscale } from "./quote-upscale.ts";
import {
  createUpscaleAnswer,
  createUpscaleBody,
  queryUpscaleQuery,
  quoteUpscaleAnswer,
  upscaleTask,
} from "./schema.ts";

export function upscaleRoutes(ctx: PricesContext, live: Live): FastifyPluginAsyncZod {
  const share = createShareReads();
  return async (app) => {
    app.post(
      "/api/v1/upscale/create",
      {
        config: { scope: "tasks", locksAccount: true, createsTask: true },
        attachValidation: true, // has its own error code
        schema: {
          operationId: "createUpscale",
          summary: "Upscale a video",
          description:
            "Accepts the upscale of a video: a public https URL, the stored copy of an asset, or the output of a task. The price of the known duration is held, of an unknown one that of 5 s; the hold is raised once the source is measured, up to `maxCredits`. A completed upscale is charged what was held, a failed one nothing. Send an `Idempotency-Key`, so that a request whose response was lost can be repeated without a second task.",
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
        requireValid(request);
        const key = request.headers["idempotency-key"] ?? null;
        const created = await createUpscale(ctx, request.caller, request.body, key);
        const { replayed, openTasks, ...answer } = created;
        if (replayed) reply.header("Idempotent-Replayed", "true");
        if (openTasks !== null) addOpenTasksHeaders(reply, openTasks);
        return answer;
      },
    );

    app.post(
      "/api/v1/upscale/quote",
      {
        config: { scope: "tasks" },
        attachValidation: true,
        schema: {
          operationId: "quoteUpscale",
          summary: "Price an upscale without creating it",
          description:
            "Takes the body of `upscale/create` and returns what it would hold. Nothing is fetched, held or created. Where `isMeasured` is false, the price is the least that it can be.",
          tags: ["upscale"],
          body: createUpscaleBody,
          response: {
            200: quoteUpscaleAnswer,
            ...refusals(400, 401, 403, 409, 413, 415, 429, 500, 503),
          },
        },
      },
      (request) => {
        requireValid(request);
        return quoteUpscale(ctx, request.caller, request.body);
      },
    );

    liveRoute(app, live, {
      url: "/api/v1/upscale/query",
      kind: "upscale",
      describe: {
        operationId: "queryUpscale",
        summary: "Read an upscale task, wait for a change, or stream it",
        description: `The state of an upscale, with its result once it is completed. ${waitingText} A task of another account is a 403, an unknown one a 404.`,
        tags: ["upscale"],
      },
      querystring: queryUpscaleQuery,
      answer: upscaleTask,
      read: (caller, taskId) =>
        share(`${caller.id} ${taskId}`, () => queryUpscale(ctx, caller, taskId)),
    });
  };
}

function requireValid({ validationError, body }: Pick<FastifyRequest, "validationError" | "body">) {
  if (validationError !== undefined) throw inOwnCode(validationError, body);
}

/** A malformed source, as opposed to a missing one, gets the upscaler's own code. */
function inOwnCode(fault: Error, body: unknown): Error {
  const isGiven = typeof body === "object" && body !== null && "source" in body && body.source;
  if (!isGiven || !(fault instanceof ApiError) || !fault.param?.startsWith("source")) return fault;
  return new ApiError("INVALID_URL", { message: fault.message, param: fault.param });
}
